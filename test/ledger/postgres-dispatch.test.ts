import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../src/index.js'
import { type PostgresServer, startPostgres } from '../postgres/server.js'

let server: PostgresServer
const home = mkdtempSync(join(tmpdir(), 'agent-ledger-home-'))
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  rmSync(home, { recursive: true, force: true })
  await server.remove()
})

const OPERATIONS = 60
const TASKS = 6
/** The server is killed when so many effects were seen: to start at once, and to stay away until dispatchers say so. */
const KILLED_AT = [10, 30]

/** A dispatcher in a process of its own, whose outside world is a file; what it is warned of comes on stdout. */
function aDispatcher(url: string, effects: string) {
  const program = `import { appendFileSync } from 'node:fs'
    import { openLedger } from ${JSON.stringify(join(import.meta.dirname, '../../src/index.ts'))}
    const stop = new AbortController()
    process.on('SIGTERM', () => stop.abort())
    const ledger = await openLedger(${JSON.stringify(url)}, { waitMs: 300, onWarning: ({ message }) => console.log(message) })
    const pay = async ({ operation_id }) => {
      appendFileSync(${JSON.stringify(effects)}, operation_id + '\\n')
      await new Promise(resolve => setTimeout(resolve, 50))
      return { paid: operation_id }
    }
    await ledger.dispatch({ handlers: { pay }, pollMs: 50, signal: stop.signal })
    await ledger.close()`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    env: { ...process.env, XDG_STATE_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    told += text
  })
  const ended = once(child, 'exit')
  return {
    told: () => told,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

it('dispatchers outlast a server that is killed: nothing is sent twice, nothing is lost, and they go on by themselves', async () => {
  const url = await server.createDatabase()
  const ids = Array.from({ length: OPERATIONS }, (_, n) => `op-${String(n).padStart(2, '0')}`)
  const first = await openLedger(url)
  for (const [n, id] of ids.entries())
    await first.prepare({ id, task: `task-${n % TASKS}`, tool: 'pay', input: n })
  await first.close()
  const effects = join(home, 'effects')
  writeFileSync(effects, '')
  const seen = () => readFileSync(effects, 'utf8').split('\n').filter(Boolean)
  const dispatchers = [aDispatcher(url, effects), aDispatcher(url, effects)]
  const until = async (isSo: () => boolean) => {
    while (!isSo() && !dispatchers.some(one => one.hasEnded())) await sleep(20)
  }

  const [soon = 0, later = 0] = KILLED_AT
  await until(() => seen().length >= soon)
  await server.kill()
  await server.start()
  await until(() => seen().length >= later)
  const before = dispatchers.map(({ told }) => told().length)
  await server.kill()
  await until(() => dispatchers.every(({ told }, n) => told().slice(before[n]).includes('it looks again')))
  await server.start()

  const ledger = await openLedger(url)
  onTestFinished(() => ledger.close())
  const open = async () => {
    const { operations } = await ledger.list({ show: 'all' })
    return operations.filter(({ status }) => status !== 'confirmed').length
  }
  while ((await open()) > 0 && !dispatchers.some(one => one.hasEnded())) await sleep(100)
  expect(await Promise.all(dispatchers.map(one => one.stop()))).toEqual([0, 0])
  expect(seen().sort()).toEqual(ids)
  expect(await open()).toBe(0)
  const spool = join(home, 'agent-ledger', 'receipts', ledger.ledgerId)
  expect(existsSync(spool) ? readdirSync(spool) : []).toEqual([])
  expect(await ledger.verify()).toMatchObject({ findings: [] })
}, 180_000)
