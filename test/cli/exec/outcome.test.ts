import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { openLedger } from '../../../src/ledger.js'
import { aPath } from '../../execute/support/ledgers.js'
import { aPlace } from './guarded.js'

const sh = (script: string) => ['sh', '-c', script]

describe('a command that ends with 0', () => {
  it('is confirmed, with the digests of what it printed as its receipt, and never run again', async () => {
    const { exec, record, folder } = await aPlace()
    const script = sh('echo ran >> world; echo out; echo err >&2')
    expect(await exec(script)).toMatchObject({ exitCode: 0, stdout: 'out', stderr: 'err' })
    const { operation, evidence } = await record()
    expect(operation).toMatchObject({ status: 'confirmed', settled_by: 'receipt', provenance: 'exec' })
    expect(evidence[0]?.body).toMatchObject({
      rule: 'exit_done',
      exit_code: 0,
      stdout: { bytes: 4, digest: `sha256:${createHash('sha256').update('out\n').digest('hex')}` },
      stderr: { bytes: 4 },
    })
    const again = await exec(script)
    expect(again).toMatchObject({ exitCode: 0, stdout: '' })
    expect(again.stderr).toContain('op-1 is confirmed already (by receipt): not run again')
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('ran\n')
  })

  it('was written down before it started', async () => {
    const { exec, path, env, argvOf } = await aPlace()
    const main = argvOf([], []).slice(0, 1)
    const look = [process.execPath, ...main, 'show', 'op-1', '--ledger', path, '--json', '--fields', 'status']
    const { stdout } = await exec(look, [], { env })
    expect(JSON.parse(String(stdout))).toMatchObject({ status: 'in_flight' })
  })

  it.each([
    ['a number of many digits', 'echo 12345678901234567890', '12345678901234567890\n'],
    ['one inside JSON', `echo '{"id": 12345678901234567890}'`, '{"id": 12345678901234567890}\n'],
    ['text', `printf 'a\\033[31m'`, 'a\u001b[31m'],
  ])('prints again what it printed: %s', async (_, script, printed) => {
    const { exec } = await aPlace()
    const first = await exec(sh(script), ['--result-from', 'stdout'], { stripFinalNewline: false })
    const again = await exec(sh(script), ['--result-from', 'stdout'], { stripFinalNewline: false })
    expect([first.stdout, again.stdout]).toEqual([printed, printed])
  })

  it('is not started where its folder is gone, which is told as it is', async () => {
    const { argvOf, env, folder, record } = await aPlace()
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"'
    const argv = ['-c', script, process.execPath, ...argvOf([], ['true'])]
    const { exitCode, stderr } = await execa('sh', argv, { cwd: folder, env, reject: false })
    expect([exitCode, (await record()).operation.status]).toEqual([127, 'not_executed'])
    expect(stderr).toContain('op-1 was not executed: true was not started')
  })

  it('says so when what it printed cannot be kept, at once and when started again', async () => {
    const { exec } = await aPlace()
    const first = await exec(sh(`printf '\\377'`), ['--result-from', 'stdout'])
    expect(first.stderr).toContain('what it printed is not kept')
    const again = await exec(sh(`printf '\\377'`), ['--result-from', 'stdout'])
    expect(again).toMatchObject({ exitCode: 0, stdout: '' })
    expect(again.stderr).toContain('what it printed is not on record')
  })

  it('stands for the same command line under another id, says so, and runs it once more where that is meant', async () => {
    const { exec, folder, run } = await aPlace()
    const script = sh('echo ran >> world; exit "$(wc -l < world)"')
    await exec(script)
    const second = await exec(script, ['--op', 'op-2'])
    expect(second).toMatchObject({ exitCode: 7, stdout: '' })
    expect(second.stderr).toContain('op-2 is the same call as op-1 of its task, tool and input')
    expect(second.stderr).toContain('agent-ledger show op-1')
    expect((await run('show', 'op-2')).exitCode).toBe(4)
    const meant = await exec(script, ['--op', 'op-2', '--again', 'two were ordered'])
    expect(meant.exitCode).toBe(2)
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('ran\nran\n')
  })

  it('settles nothing on a repeat after a doubt', async () => {
    const { exec, record } = await aPlace()
    const allowed = ['--repeat', 'permanent-name']
    const script = sh('test "$AGENT_LEDGER_ATTEMPT" = 2')
    expect((await exec(script, allowed)).exitCode).toBe(1)
    const repeat = await exec(script, allowed)
    expect(repeat.exitCode).toBe(0)
    expect(repeat.stderr).toMatch(/op-1 is (?:in doubt|not settled)/)
    const { status, may_have_applied, attempt } = (await record()).operation
    expect([status === 'confirmed', may_have_applied, attempt]).toEqual([false, true, 2])
  })

  it.each(['state_holds', 'done_by_this_run'])('settles a repeat where its contract says %s', async zero => {
    const { exec, record } = await aPlace({ config: `tools: { tool-1: { exit_codes: { zero: ${zero} } } }` })
    const script = sh('test "$AGENT_LEDGER_ATTEMPT" = 2')
    await exec(script, ['--repeat', 'permanent-name'])
    await exec(script, ['--repeat', 'permanent-name'])
    expect((await record()).operation).toMatchObject({ status: 'confirmed', attempt: 2 })
  })
})

describe('a command that does not', () => {
  it('is in doubt, keeps its code and its last words, and is not run again', async () => {
    const { exec, record, folder } = await aPlace()
    const script = sh('echo ran >> world; echo "409 token=sk_live_4242424242424242aaaa" >&2; exit 3')
    expect((await exec(script)).exitCode).toBe(3)
    const { operation } = await record()
    expect(operation).toMatchObject({ status: 'unknown', last_error: { code: 'EXIT_3' } })
    expect(operation.last_error?.message).toContain('sh ended with exit code 3; its stderr ends with: 409')
    expect(operation.last_error?.message).not.toContain('4242424242424242')
    const again = await exec(script)
    expect(again.exitCode).toBe(7)
    expect(again.stderr).toContain('op-1 is in doubt: not run')
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('ran\n')
  })

  it('shows no part of a secret that its last words would begin within', async () => {
    const { exec, record } = await aPlace()
    const long = 'head -c 575 /dev/zero | tr "\\0" b >&2'
    await exec(sh(`echo sk_live_4242424242424242aaaaaaaaaaaaaaaa >&2; ${long}; exit 3`))
    const { operation } = await record()
    expect(operation.last_error?.message).toMatch(/its stderr ends with: .*stripe-key\]\nb{575}$/)
    expect(operation.last_error?.message).not.toContain('aaaa')
  })

  it('is not executed where the code is listed as refused, and may be run again', async () => {
    const { exec, record } = await aPlace({ config: 'tools: { tool-1: { exit_codes: { refused: [64] } } }' })
    const script = sh('test "$AGENT_LEDGER_ATTEMPT" = 2 || exit 64')
    const first = await exec(script)
    expect(first.exitCode).toBe(64)
    expect((await record()).operation.status).toBe('not_executed')
    expect((await exec(script)).exitCode).toBe(0)
    expect((await record()).operation).toMatchObject({ status: 'confirmed', attempt: 2 })
  })

  it('is in doubt although its code is listed as refused, when it named what it made', async () => {
    const config =
      'tools: { tool-1: { exit_codes: { refused: [64] }, ids: [{ kind: ticket, pattern: "made (.+)" }] } }'
    const { exec, record } = await aPlace({ config })
    expect((await exec(sh('echo made T-1; exit 64'))).exitCode).toBe(64)
    const { operation, external_ids } = await record()
    expect(operation.status).toBe('unknown')
    expect(external_ids).toEqual([{ kind: 'ticket', value: 'T-1' }])
  })

  it.each([
    ['no-such-program', 127],
    ['/etc/passwd', 126],
  ])('because %s cannot be started, is not executed for certain', async (file, code) => {
    const { exec, record } = await aPlace()
    expect((await exec([file])).exitCode).toBe(code)
    expect((await record()).operation.status).toBe('not_executed')
  })

  it('ends with 128 and the signal that ended it', async () => {
    const { exec, record } = await aPlace()
    expect((await exec(sh('kill -KILL $$'))).exitCode).toBe(137)
    expect((await record()).operation).toMatchObject({ status: 'unknown', last_error: { code: 'SIGKILL' } })
  })

  it('that hides a SIGKILL behind a code of its own is in doubt, with what it had said', async () => {
    const { exec, record } = await aPlace()
    expect((await exec(sh('sh -c "echo sent 3 of 5; kill -KILL \\$\\$"; exit $?'))).exitCode).toBe(137)
    const { operation, attempts } = await record()
    expect(operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(attempts).toMatchObject([{ end: 'ambiguous' }])
  })
})

describe('what it prints as its result', () => {
  it('is kept, and printed instead of running it again', async () => {
    const { exec, record } = await aPlace({
      config: 'tools: { tool-1: { ids: [{ kind: ticket, path: id }] } }',
    })
    const command = sh(`echo '{"id": "T-1"}'`)
    expect((await exec(command, ['--result-from', 'stdout'])).stdout).toBe('{"id": "T-1"}')
    const { operation, external_ids } = await record()
    expect(operation.result).toEqual({ id: 'T-1' })
    expect(external_ids).toEqual([{ kind: 'ticket', value: 'T-1' }])
    expect((await exec(command, ['--result-from', 'stdout'])).stdout).toBe('{"id":"T-1"}')
  })

  it('is text where it is no JSON, and comes back as it was', async () => {
    const { exec } = await aPlace()
    const options = { stripFinalNewline: false }
    const first = await exec(['printf', 'T-1\n\n'], ['--result-from', 'stdout'], options)
    const again = await exec(['printf', 'T-1\n\n'], ['--result-from', 'stdout'], options)
    expect([first.stdout, again.stdout]).toEqual(['T-1\n\n', 'T-1\n\n'])
  })

  it('is what a person said it was, after they settled it', async () => {
    const { exec, run } = await aPlace()
    await exec(sh('exit 1'))
    const said = [
      '--as',
      'confirmed',
      '--evidence',
      'seen',
      '--reason',
      'it is there',
      '--yes',
      '--by',
      'ana',
    ]
    await run('resolve', 'op-1', ...said, '--result', '{"id":"T-9"}')
    const again = await exec(sh('exit 1'), ['--result-from', 'stdout'])
    expect(again).toMatchObject({ exitCode: 0, stdout: '{"id":"T-9"}' })
  })
})

describe('the operation', () => {
  it('gets the same key at every attempt, and the words of the command line as its input', async () => {
    const { exec, record } = await aPlace()
    const script = sh('echo $AGENT_LEDGER_IDEMPOTENCY_KEY $AGENT_LEDGER_ATTEMPT; exit 1')
    const first = await exec(script, ['--repeat', 'key:24h'])
    const second = await exec(script, ['--repeat', 'key:24h'])
    const { idempotency_key, input } = (await record()).operation
    expect([first.stdout, second.stdout]).toEqual([`${idempotency_key} 1`, `${idempotency_key} 2`])
    expect(input).toEqual({ argv: script })
  })

  it('is another one with other words under the same id, and is refused', async () => {
    const { exec } = await aPlace()
    await exec(['true', 'a'])
    const other = await exec(['true', 'b'])
    expect(other.exitCode).toBe(5)
    expect(other.stderr).toContain('input.argv[1]')
  })

  it('is named after task, tool and input where no id is given', async () => {
    const { run, folder } = await aPlace()
    const guarded = ['exec', '--task', 'task-1', '--tool', 'tool-1', '--step', 'push']
    const words = ['--', 'sh', '-c', `echo ran >> ${folder}/world`]
    await run(...guarded, ...words)
    await run(...guarded, ...words)
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('ran\n')
    const { stdout } = await run('list', '--all', '--json')
    const [{ operation_id }] = JSON.parse(stdout).operations
    expect(operation_id).toMatch(/^task-1\/push\/tool-1\/[0-9a-f]{12}$/)
  })

  it('is what --input says, whatever the words are', async () => {
    const { exec, folder, record } = await aPlace()
    const words = ['--op', 'op-1', '--input', '{"order":9}']
    await exec(sh('echo ran >> world'), words)
    expect((await record()).operation.input).toEqual({ order: 9 })
    // The input is what counts, not the words.
    expect((await exec(sh('echo ran again >> world'), words)).exitCode).toBe(0)
    expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('ran\n')
  })

  it('is not run while the same one is in flight elsewhere', async () => {
    const { exec, folder, record } = await aPlace()
    const script = sh('test -e held || { touch held; until test -e go; do sleep 0.01; done; }')
    const first = exec(script)
    while (!existsSync(join(folder, 'held'))) await new Promise(resolve => setTimeout(resolve, 10))
    const second = await exec(script)
    expect(second.exitCode).toBe(5)
    expect(second.stderr).toContain('in flight elsewhere')
    await exec(['touch', 'go'], ['--op', 'other'])
    expect((await first).exitCode).toBe(0)
    expect((await record()).operation.attempt).toBe(1)
  })

  it('is not run without a ledger', async () => {
    const { exec, folder } = await aPlace()
    const missing = await exec(sh('echo ran >> world'), ['--ledger', aPath()])
    expect(missing.exitCode).toBe(3)
    expect(existsSync(join(folder, 'world'))).toBe(false)
  })

  it('is not run for a task that a person holds', async () => {
    const { exec, folder, path } = await aPlace()
    await exec(['true'])
    const ledger = await openLedger(path, { actor: 'ana' })
    await ledger.takeover('task-1', 'it is on fire')
    await ledger.close()
    const held = await exec(sh('echo ran >> world'), ['--op', 'op-2'])
    expect(held.exitCode).toBe(7)
    expect(existsSync(join(folder, 'world'))).toBe(false)
  })
})
