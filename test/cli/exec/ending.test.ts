import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isRunning } from '../../../src/host.js'
import { onTerminal } from '../terminal.js'
import { aPlace, until } from './guarded.js'

const sh = (script: string) => ['sh', '-c', script]
/** Two processes that tell their ids, of which the inner one obeys nobody. */
const STUBBORN = sh(
  `trap '' TERM INT HUP; (trap '' TERM INT HUP; while :; do sleep 0.1; done) & echo $! > inner; echo $$ > outer; wait; while :; do sleep 0.1; done`,
)

describe('told to stop', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)(
    'by %s it passes that on, waits for the end, and leaves the operation in doubt',
    async (signal, code) => {
      const { exec, folder, record } = await aPlace()
      const name = signal.slice(3)
      const told = exec(
        sh(
          `trap 'echo heard > heard; trap - ${name}; kill -${name} $$' ${name}; touch up; while :; do sleep 0.1; done`,
        ),
      )
      await until(() => existsSync(join(folder, 'up')))
      told.kill(signal)
      expect((await told).exitCode).toBe(code)
      expect(readFileSync(join(folder, 'heard'), 'utf8')).toBe('heard\n')
      const { operation } = await record()
      expect(operation).toMatchObject({ status: 'unknown', last_error: { code: signal } })
      expect(operation.last_error?.message).toContain(`after it was told to stop: it got ${signal}`)
    },
  )

  it.each(['SIGUSR1', 'SIGUSR2'] as const)(
    'is not what %s means: it is passed on, and that is all',
    async signal => {
      const { exec, folder, record } = await aPlace()
      const told = exec(
        sh(`trap 'echo heard > heard' ${signal.slice(3)}; touch up; until test -e heard; do sleep 0.1; done`),
      )
      await until(() => existsSync(join(folder, 'up')))
      told.kill(signal)
      expect(await told).toMatchObject({ exitCode: 0, stderr: '' })
      expect((await record()).operation.status).toBe('confirmed')
    },
  )

  it('it does not take exit code 0 for done', async () => {
    const { exec, folder, record } = await aPlace()
    const told = exec(sh(`trap 'exit 0' TERM; touch up; while :; do sleep 0.1; done`))
    await until(() => existsSync(join(folder, 'up')))
    told.kill('SIGTERM')
    expect((await told).exitCode).toBe(0)
    expect((await record()).operation.status).toBe('unknown')
  })

  it('it leaves no process behind that obeys nobody', async () => {
    const { exec, folder, record } = await aPlace()
    const told = exec(STUBBORN, ['--grace', '300ms'])
    const pids = await pidsIn(folder)
    told.kill('SIGTERM')
    expect((await told).exitCode).toBe(137)
    await until(() => !pids.some(runs))
    expect((await record()).operation.status).toBe('unknown')
  })

  it('by its time limit it does the same', async () => {
    const { exec, folder, record } = await aPlace()
    const told = exec(STUBBORN, ['--timeout', '1s', '--grace', '300ms'])
    const pids = await pidsIn(folder)
    expect((await told).exitCode).toBe(137)
    await until(() => !pids.some(runs))
    expect((await record()).operation).toMatchObject({ status: 'unknown', last_error: { rule: 'timeout' } })
  })

  it('on a terminal the keys reach the command, once', async () => {
    const { argvOf, env, record } = await aPlace()
    const counts = `let n = 0
      process.on('SIGINT', () => { n += 1; setTimeout(() => process.exit(40 + n), 500) })
      setInterval(() => {}, 1000)
      console.log('up')`
    const terminal = onTerminal(process.execPath, argvOf([], [process.execPath, '-e', counts]), { env })
    await terminal.shows('up')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(41)
    expect((await record()).operation.status).toBe('unknown')
  })
})

describe('killed itself', () => {
  it('it leaves the operation in doubt, and the next one does not run it again', async () => {
    const { exec, folder, run } = await aPlace()
    const script = sh('echo $$ >> world; while :; do sleep 0.1; done')
    const killed = exec(script)
    await until(() => existsSync(join(folder, 'world')))
    const child = Number(readFileSync(join(folder, 'world'), 'utf8'))
    onTestFinished(() => {
      if (isRunning(child)) process.kill(-child, 'SIGKILL')
    })
    killed.kill('SIGKILL')
    await killed
    const { stdout } = await run('list', '--unknown', '--json')
    expect(JSON.parse(stdout).operations).toMatchObject([{ operation_id: 'op-1', in_doubt: true }])
    const again = await exec(script)
    expect(again.exitCode).toBe(7)
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe(`${child}\n`)
  })
})

/** A zombie runs nothing more; who is to bury it is not ours to say. */
function runs(pid: number): boolean {
  try {
    return isRunning(pid) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false // it ended between the two looks
  }
}

async function pidsIn(folder: string): Promise<number[]> {
  const files = ['inner', 'outer'].map(name => join(folder, name))
  await until(() => files.every(path => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n')))
  return files.map(path => Number(readFileSync(path, 'utf8')))
}
