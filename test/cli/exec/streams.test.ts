import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { onTerminal } from '../terminal.js'
import { aPlace } from './guarded.js'

const sh = (script: string) => ['sh', '-c', script]
const shell = (argv: readonly string[]) => argv.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

describe('input and output', () => {
  it('pass through byte by byte, however many they are, and are what the receipt says', async () => {
    const { exec, folder, record } = await aPlace()
    const given = randomBytes(20 * 1024 * 1024)
    writeFileSync(join(folder, 'given'), given)
    const copied = await exec(['cat'], [], {
      stdin: { file: join(folder, 'given') },
      stdout: { file: join(folder, 'taken') },
    })
    expect(copied.exitCode).toBe(0)
    expect(readFileSync(join(folder, 'taken')).equals(given)).toBe(true)
    expect((await record()).evidence[0]?.body).toMatchObject({
      stdout: { bytes: given.length, digest: `sha256:${createHash('sha256').update(given).digest('hex')}` },
    })
  })

  it('go at the pace of a slow reader, and nothing is lost', async () => {
    const { argvOf, env, folder } = await aPlace()
    const command = shell([process.execPath, ...argvOf([], ['head', '-c', '3000000', '/dev/zero'])])
    const { stdout } = await execa('bash', ['-c', `${command} | (sleep 1; wc -c)`], { env, cwd: folder })
    expect(stdout.trim()).toBe('3000000')
  })

  it('end when their reader has enough, as in any pipeline', async () => {
    const { argvOf, env, folder, record } = await aPlace()
    const command = shell([process.execPath, ...argvOf([], ['yes'])])
    const script = `${command} 2>/dev/null | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout } = await execa('bash', ['-c', script], { env, cwd: folder })
    expect(stdout).toBe('y\n141')
    expect((await record()).operation).toMatchObject({ status: 'unknown', last_error: { code: 'SIGPIPE' } })
  })

  it('can be opened by their names, as on any pipe', async () => {
    const { exec } = await aPlace()
    const named = await exec(sh('echo out > /dev/stdout; echo err | tee /dev/stderr > /dev/null'))
    expect(named).toMatchObject({ exitCode: 0, stdout: 'out', stderr: 'err' })
  })

  it('keep their order where both go to one place', async () => {
    const { argvOf, env, folder, record } = await aPlace()
    const talk = 'for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done'
    const command = shell([process.execPath, ...argvOf([], sh(talk))])
    const { stdout } = await execa('bash', ['-c', `${command} 2>&1 | cat`], { env, cwd: folder })
    expect(stdout.split('\n')).toEqual([1, 2, 3, 4, 5].flatMap(i => [`out ${i}`, `err ${i}`]))
    expect((await record()).evidence[0]?.body).toMatchObject({ stdout: 'passed through unseen' })
  })

  it('that a process left behind still holds do not keep it from ending', async () => {
    const { exec, record } = await aPlace()
    const left = await exec(sh('sleep 60 & echo $!'))
    process.kill(Number(left.stdout), 'SIGKILL')
    expect(left.exitCode).toBe(0)
    expect((await record()).operation.status).toBe('confirmed')
  })

  it('are a terminal for the command where ours is one', async () => {
    const { argvOf, env, record } = await aPlace()
    const command = sh('test -t 0 && test -t 1 && test -t 2 && stty size && read line && echo "got $line"')
    const terminal = onTerminal(process.execPath, argvOf([], command), { env })
    await terminal.shows('24 80')
    terminal.type('hello\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.text()).toContain('got hello')
    expect((await record()).operation.status).toBe('confirmed')
  })
})
