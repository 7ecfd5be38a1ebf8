import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordDocument } from '../../src/core/documents/record-schema.js'
import { ERROR_RULES } from '../../src/core/errors.js'
import { openLedger } from '../../src/ledger.js'
import { openStoreForReading } from '../../src/store/open.js'
import { aCall, aLedger, aPath } from '../execute/support/ledgers.js'
import { bundled } from '../support/bundled.js'

const MAIN = bundled(join(import.meta.dirname, 'main-program.ts'))

const INTENT = {
  operation_id: 'refund/9',
  task_id: 'task-1',
  tool: 'refunds.create',
  input: { order: 9 },
  effect: 'irreversible',
  deadline_at: '2099-01-01T00:00:00Z',
}

describe('the life of an operation, told by one process a verb', () => {
  it('goes from prepare over send to confirm', async () => {
    const { record } = await aPlace()
    expect(await record('task', { task_id: 'task-1', goal: 'Refund', agent: 'sh' })).toMatchObject({
      code: 0,
      said: { ok: true, task_id: 'task-1', status: 'running', version: 1, epoch: 1 },
    })
    expect(await record('prepare', INTENT)).toMatchObject({
      code: 0,
      said: { ok: true, status: 'prepared', version: 1, next_action: { next_action: 'resume' } },
    })
    const sent = await record('send', { operation_id: 'refund/9', epoch: 1, lease_ms: 60_000 })
    expect(sent).toMatchObject({
      code: 0,
      said: {
        ok: true,
        status: 'in_flight',
        attempt: 1,
        fence: 2,
        epoch: 1,
        idempotency_key: expect.stringMatching(/^al-[0-9a-z]{25}$/),
        previous: { attempts: [], progress: null, external_ids: [] },
        send_by: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
    const held = { operation_id: 'refund/9', attempt: 1, fence: 2 }
    expect(await record('progress', { ...held, progress: { done: 1 } })).toMatchObject({
      code: 0,
      said: { ok: true, cancel_requested: false },
    })
    const confirm = {
      ...held,
      result: { id: 're_1' },
      external_ids: [{ kind: 'refund', value: 're_1' }],
      receipt: 'HTTP 201',
    }
    expect(await record('confirm', confirm)).toMatchObject({
      code: 0,
      said: { ok: true, status: 'confirmed', next_action: { next_action: 'none' } },
    })
    const again = await record('send', { operation_id: 'refund/9' })
    expect(again).toMatchObject({
      code: ERROR_RULES.refused.exitCode,
      said: {
        ok: false,
        status: 'confirmed',
        result: { id: 're_1' },
        external_ids: [{ kind: 'refund', value: 're_1' }],
        error: { rule: 'already_settled' },
      },
      err: expect.stringContaining('confirmed already: do not send it'),
    })
    expect(await record('prepare', INTENT)).toMatchObject({
      code: 0,
      said: { status: 'confirmed', result: { id: 're_1' } },
    })
  })
})

describe('what does not fit', () => {
  it.each([
    ['no JSON', '{"operation_id":', /stdin is no JSON/],
    ['nothing', '', /stdin is empty/],
    ['a list', '[]', /what was given does not fit: an object is wanted/],
    ['a field that means nothing', '{"operation_id":"x","leaseMs":5}', /"leaseMs" means nothing here/],
    ['a name misspelt', '{"operationId":"x"}', /"operationId" means nothing here; also operation_id$/m],
    ['a field that is missing', '{}', /"operation_id" is missing: a text is wanted/],
    [
      'a field of the wrong kind',
      '{"operation_id":"x","lease_ms":"5"}',
      /"lease_ms" does not fit: a number is wanted/,
    ],
    [
      'a digit too many',
      '{"operation_id":"x","epoch":12345678901234567890}',
      /12345678901234567890 has more digits/,
    ],
    ['a process that is not there', '{"operation_id":"refund/9","pid":4194305}', /no process 4194305/],
  ])('is refused and named, and nothing is written: %s', async (_, input, message) => {
    const { path, record } = await aPlace()
    await record('prepare', INTENT)
    const refused = await record('send', input)
    expect(refused.code).toBe(ERROR_RULES.invalid_input.exitCode)
    expect(refused.said).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: expect.stringMatching(message) },
    })
    expect(refused.err).toMatch(message)
    expect(await statusOf(path)).toBe('prepared')
  })

  it('is a fence or an attempt that was never given', async () => {
    const { path, record } = await aPlace()
    await record('prepare', INTENT)
    await record('send', { operation_id: 'refund/9' })
    for (const held of [
      { attempt: 1, fence: 3 },
      { attempt: 2, fence: 2 },
    ]) {
      const refused = await record('confirm', { operation_id: 'refund/9', ...held })
      expect(refused).toMatchObject({
        code: ERROR_RULES.conflict.exitCode,
        said: { ok: false, error: { rule: 'attempt_known' } },
      })
    }
    expect(await statusOf(path)).toBe('in_flight')
  })

  it('is an id that is not there, with one near it', async () => {
    const { record } = await aPlace()
    await record('prepare', INTENT)
    const refused = await record('send', { operation_id: 'refund/8' })
    expect(refused).toMatchObject({
      code: ERROR_RULES.not_found.exitCode,
      said: {
        ok: false,
        operation_id: 'refund/8',
        error: { code: 'not_found', message: expect.stringContaining('refund/9') },
      },
    })
  })

  it('is another input under the same id', async () => {
    const { record } = await aPlace()
    await record('prepare', INTENT)
    expect(await record('prepare', { ...INTENT, input: { order: 10 } })).toMatchObject({
      code: ERROR_RULES.different_input.exitCode,
      said: { error: { code: 'different_input', facts: { differing_paths: ['input.order (changed)'] } } },
    })
  })

  it('is a second sender while the first holds it', async () => {
    const { record } = await aPlace()
    await record('prepare', INTENT)
    await record('send', { operation_id: 'refund/9' })
    expect(await record('send', { operation_id: 'refund/9' })).toMatchObject({
      code: ERROR_RULES.conflict.exitCode,
      said: { status: 'in_flight', error: { rule: 'in_flight_elsewhere' } },
    })
  })

  it('is a ledger that is not there, and a verb that is none', async () => {
    const nowhere = await told(aPath(), ['prepare'], JSON.stringify(INTENT))
    expect(nowhere).toMatchObject({
      code: ERROR_RULES.ledger_missing.exitCode,
      said: { ok: false, error: { code: 'ledger_missing' } },
    })
    const { path } = await aPlace()
    expect((await told(path, ['approve'], '{}')).code).toBe(ERROR_RULES.usage.exitCode)
    expect((await told(path, [], '{}')).code).toBe(ERROR_RULES.usage.exitCode)
    expect((await told(path, ['send', '--stream'], '{}')).code).toBe(ERROR_RULES.usage.exitCode)
  })
})

describe('an executor in another process', () => {
  it('is known by its pid: its end puts the operation in doubt at once', async () => {
    const { path, record } = await aPlace()
    const executor = execa('sleep', ['60'], { reject: false })
    onTestFinished(() => {
      executor.kill('SIGKILL')
    })
    await record('prepare', INTENT)
    await record('send', { operation_id: 'refund/9', pid: executor.pid })
    const { ledger } = await aLedger({ path })
    const call = aCall({ id: 'refund/9', tool: 'refunds.create', input: { order: 9 } })
    expect(await ledger.run(call, () => 1)).toMatchObject({ status: 'in_progress' })
    executor.kill('SIGKILL')
    await executor
    expect(await ledger.run(call, () => 1)).toMatchObject({ status: 'unknown' })
  })

  it('that names none keeps its lease although the recording process ended', async () => {
    const { path, record } = await aPlace()
    await record('prepare', INTENT)
    await record('send', { operation_id: 'refund/9' })
    const { ledger } = await aLedger({ path })
    const call = aCall({ id: 'refund/9', tool: 'refunds.create', input: { order: 9 } })
    expect(await ledger.run(call, () => 1)).toMatchObject({ status: 'in_progress' })
  })
})

describe('a stream', () => {
  it('carries many objects out in one process, in order, one answer a line', async () => {
    const { path } = await aPlace()
    const lines = [
      { verb: 'prepare', ...INTENT },
      '',
      { verb: 'send', operation_id: 'refund/9' },
      'no JSON',
      { verb: 'sned', operation_id: 'refund/9' },
      { operation_id: 'refund/9' },
      { verb: 'lose', operation_id: 'refund/9', attempt: 1, fence: 2, reason: 'the connection ended' },
      { verb: 'note', task_id: 'task-1', kind: 'finding', body: 'the service was down' },
    ]
    const input = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    const { code, answers } = await told(path, ['--stream'], input)
    expect(answers.map(answer => answer.ok)).toEqual([true, true, false, false, false, true, true])
    expect(answers[2]).toMatchObject({ error: { message: expect.stringContaining('line 4 is no JSON') } })
    expect(answers[3]).toMatchObject({ operation_id: 'refund/9', error: { path: 'verb' } })
    expect(answers[5]).toMatchObject({ status: 'unknown', next_action: { next_action: 'ask_person' } })
    expect(answers[6]).toMatchObject({ task_id: 'task-1', note_id: '1' })
    expect(code).toBe(ERROR_RULES.some_failed.exitCode)
  })

  it('ends with 0 when all was carried out, also without a last line feed', async () => {
    const { path } = await aPlace()
    const { code, answers } = await told(path, ['--stream'], JSON.stringify({ verb: 'prepare', ...INTENT }))
    expect([code, answers.length]).toEqual([0, 1])
  })

  it('that is killed leaves what it had sent in doubt', async () => {
    const { path } = await aPlace()
    const argv = [...MAIN.argv, 'record', '--stream', '--ledger', path]
    const stream = execa(process.execPath, argv, { reject: false, env: MAIN.env })
    stream.stdin.write(`${JSON.stringify({ verb: 'prepare', ...INTENT })}\n`)
    stream.stdin.write(`${JSON.stringify({ verb: 'send', operation_id: 'refund/9' })}\n`)
    await expect.poll(() => statusOf(path), { timeout: 20_000 }).toBe('in_flight')
    stream.kill('SIGKILL')
    await stream
    const { ledger } = await aLedger({ path })
    const call = aCall({ id: 'refund/9', tool: 'refunds.create', input: { order: 9 } })
    expect(await ledger.run(call, () => 1)).toMatchObject({ status: 'unknown' })
  })
})

describe('the command an unrecorded outcome comes with', () => {
  it('records it as it stands, pasted into a shell', async () => {
    const { ledger, path } = await aLedger({ around: store => ({ ...store, change: once(store.change) }) })
    const outcome = await ledger.run(aCall(), () => ({ note: `it's "done" \u001b[31m\u202e😀 $HOME \`x\`` }))
    if (outcome.status !== 'unrecorded') throw new Error(outcome.status)
    const program = `agent-ledger() { ${[process.execPath, ...MAIN.argv].map(word => `'${word}'`).join(' ')} "$@"; }`
    const { stdout } = await execa('bash', ['-c', `${program}\n${outcome.command}`], { env: MAIN.env })
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, status: 'confirmed' })
    const again = await openLedger(path, { create: false })
    onTestFinished(() => again.close())
    expect(await again.run(aCall(), () => 'again')).toMatchObject({ result: outcome.result, replayed: true })
  })
})

/** The first change passes, the second fails. */
function once<T extends (...given: never[]) => Promise<unknown>>(change: T): T {
  let n = 0
  const limited = (...given: Parameters<T>) =>
    ++n === 2 ? Promise.reject(new Error('disk gone')) : change(...given)
  // the same signature, which a wrapper of any function cannot say otherwise
  return limited as T
}

async function aPlace() {
  const path = aPath()
  await (await openLedger(path)).close()
  const record = (verb: string, object: object | string) =>
    told(path, [verb], typeof object === 'string' ? object : JSON.stringify(object))
  return { path, record }
}

async function told(path: string, words: readonly string[], input: string) {
  const argv = [...MAIN.argv, 'record', ...words, '--ledger', path, '--by', 'agent']
  const { stdout, stderr, exitCode } = await execa(process.execPath, argv, {
    input,
    reject: false,
    env: MAIN.env,
  })
  const answers = stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
  for (const answer of answers) expect(recordDocument.safeParse(answer).error).toBeUndefined()
  return { code: exitCode, said: answers[0], answers, err: stderr }
}

async function statusOf(path: string): Promise<string | undefined> {
  const store = await openStoreForReading({ url: path })
  const record = await store.operation('refund/9')
  await store.close()
  return record?.operation.status
}
