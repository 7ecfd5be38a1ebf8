import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onTerminal } from './terminal.js'

const folder = mkdtempSync(join(tmpdir(), 'agent-ledger-sample-'))
const sample = [join(folder, 'sample.cjs')]

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, 'sample-program.ts')]
  await build({
    entryPoints,
    outfile: sample[0] ?? '',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['ink', 'react'],
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

const inPipe = (argv: readonly string[], env: Record<string, string> = {}) =>
  execa(process.execPath, [...sample, ...argv], { reject: false, env: { ...QUIET, ...env } })
const inTerminal = (argv: readonly string[], env: Record<string, string> = {}, columns = 80) =>
  onTerminal(process.execPath, [...sample, ...argv], { env, columns })
// What the machine running the tests says of colour must not decide.
const QUIET = {
  NO_COLOR: '',
  FORCE_COLOR: undefined,
  CLICOLOR: undefined,
  CLICOLOR_FORCE: undefined,
  CI: undefined,
}
const YELLOW = '\u001b[33m'

describe('on a real terminal', () => {
  it('a list is a coloured table', async () => {
    const terminal = inTerminal(['rows'])
    expect(await terminal.ended).toBe(0)
    expect(terminal.text()).toBe('id    status\nop-1  unknown\nop-2  unknown')
    expect(terminal.sent()).toContain(`${YELLOW}unknown`)
  })

  it.each([
    ['--no-color over all', ['--no-color'], { FORCE_COLOR: '1' }, false],
    ['NO_COLOR over FORCE_COLOR', [], { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['an empty NO_COLOR says nothing', [], { NO_COLOR: '' }, true],
    ['FORCE_COLOR over TERM=dumb', [], { FORCE_COLOR: '1', TERM: 'dumb' }, true],
    ['FORCE_COLOR=0', [], { FORCE_COLOR: '0' }, false],
    ['CLICOLOR=0', [], { CLICOLOR: '0' }, false],
    ['TERM=dumb', [], { TERM: 'dumb' }, false],
    ['CI changes nothing', [], { CI: 'true' }, true],
  ] as const)('colour follows: %s', async (_, argv, env, isColoured) => {
    const terminal = inTerminal(['rows', ...argv], env)
    await terminal.ended
    expect(terminal.sent().includes(YELLOW)).toBe(isColoured)
  })

  it('a question is asked and its answer obeyed', async () => {
    const yes = inTerminal(['ask'])
    await yes.shows('Abandon op-1? [y/N]')
    yes.type('y\r')
    expect(await yes.ended).toBe(0)
    expect(yes.text()).toContain('abandoned')
    const no = inTerminal(['ask'])
    await no.shows('[y/N]')
    no.type('\r')
    expect(await no.ended).toBe(130)
    expect(no.text()).toContain('declined; nothing was written')
  })

  it('ctrl-c and the end of input at a question are a no', async () => {
    for (const key of ['\u0003', '\u0004']) {
      const terminal = inTerminal(['ask'])
      await terminal.shows('[y/N]')
      terminal.type(key)
      expect(await terminal.ended).toBe(130)
      expect(terminal.text()).not.toContain('abandoned')
    }
  })

  it('ctrl-c ends a command that waits, after it has put things in order', async () => {
    const terminal = inTerminal(['wait'])
    await terminal.shows('waiting')
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    expect(terminal.text()).toContain('tidied up')
  })
})

describe('through pipes', () => {
  it('a list is plain tab-separated text, coloured only when forced', async () => {
    expect((await inPipe(['rows'])).stdout).toBe('id\tstatus\nop-1\tunknown\nop-2\tunknown')
    expect((await inPipe(['rows'], { FORCE_COLOR: '1' })).stdout).toBe(
      'id\tstatus\nop-1\tunknown\nop-2\tunknown',
    )
  })

  it.each([[[]], [['--json']], [['--jsonl']]])('a reader that has enough ends %j quietly', async form => {
    const script = `node ${sample.join(' ')} rows ${form.join(' ')} | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = await execa('bash', ['-c', script], {
      env: { ...QUIET, SAMPLE_ROWS: '1000000' },
    })
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stdout.split('\n')[1]).toBe('0')
  })

  it('a full disk behind stdout is an error that says so', async () => {
    const { exitCode, stderr } = await execa('bash', ['-c', `node ${sample.join(' ')} rows > /dev/full`], {
      reject: false,
      env: QUIET,
    })
    expect(exitCode).toBe(1)
    expect(stderr).toContain('error: stdout cannot be written: ENOSPC')
  })

  it('a question is refused, and standard input is not waited for', async () => {
    const { exitCode, stderr } = await inPipe(['ask'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('There is no terminal to ask on: give --yes')
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends with %i', async (signal, code) => {
    const child = execa(process.execPath, [...sample, 'wait'], { reject: false })
    await new Promise(resolve => child.stdout.once('data', resolve))
    child.kill(signal)
    const { exitCode, stdout } = await child
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: 'waiting\ntidied up' })
  })
})
