import { describe, expect, it, onTestFinished } from 'vitest'
import type { Contract, Repeat } from '../../src/core/operation.js'
import { startService, testClock } from '../../src/testing/index.js'
import { failure } from '../core/classify/support/thrown.js'
import { aCall, aLedger, recordOf } from './support/ledgers.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }

describe('B1: a publish that was answered 503 and then "already exists"', () => {
  it('stays unknown: the conflict of a repeat is neither success nor refusal', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({
      tool: 'npm_publish',
      input: { pkg: 'lib-x', version: '2.8.0-rc.1' },
      repeat: { kind: 'conditional', names: 'permanent' },
      maxAttempts: 2,
    })
    const answers = [
      failure({ code: 'E503', statusCode: 503, headers: {} }),
      failure({ code: 'EPUBLISHCONFLICT', statusCode: 403, headers: {} }),
    ]
    const publish = () => Promise.reject(answers.shift())
    for (let runs = 0; runs < 3 && answers.length > 0; runs++) await ledger.run(call, publish)
    const { operation, attempts } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'unknown', last_error: { rule: 'already_exists' } })
    expect(attempts.map(({ end, error }) => [end, error?.rule])).toEqual([
      ['ambiguous', 'server_error'],
      ['ambiguous', 'already_exists'],
    ])
    const { document } = await ledger.show(call.id)
    expect(document.next_action).toMatchObject({ category: 'conflict' })
  })
})

describe('K4: a key in use', () => {
  it('is said of another request in progress, and settles nothing', async () => {
    const service = await startService({
      mode: { kind: 'keyed', retention_ms: 86_400_000 },
      faults: [{ action: 'create', calls: [1], fault: { kind: 'delay', stage: 'response' } }],
    })
    onTestFinished(() => service.close())
    const { ledger, store } = await aLedger()
    const inUse = failure({
      response: {
        status: 400,
        data: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use' } },
      },
    })
    const call = aCall({ repeat: KEYED, maxAttempts: 2 })
    const charge = (key: string) =>
      fetch(`${service.url}/charges`, { method: 'POST', headers: { 'idempotency-key': key }, body: '{}' })
    for (let runs = 0; runs < 3 && (await attemptsOf()) < 2; runs++)
      await ledger.run(call, async ({ idempotencyKey, attempt }) => {
        if (attempt === 1) {
          charge(idempotencyKey).catch(() => {})
          await expect.poll(() => service.effects().length).toBe(1)
          throw failure({ code: 'ETIMEDOUT' })
        }
        const response = await charge(idempotencyKey)
        // the fake service has no code for it; this is how Stripe says what it says
        throw response.status === 409 ? inUse : new Error(`answered ${response.status}`)
      })
    const { document } = await ledger.show(call.id)
    expect(document).toMatchObject({ status: 'unknown', may_have_applied: true, new_key_allowed: false })
    expect(document.attempts).toMatchObject([
      { n: 1, end: 'ambiguous', error: { rule: 'answer_timeout' } },
      { n: 2, end: 'ambiguous', error: { rule: 'request_in_progress' } },
    ])
    expect(document.evidence.at(-1)?.body).toMatchObject({
      title: 'refused: another request with the same key is in progress',
    })
    service.release()

    async function attemptsOf(): Promise<number> {
      return (await store.operation(call.id))?.attempts.length ?? 0
    }
  })
})

describe('K6: whether the same write may be made under another key', () => {
  it.each<[string, Error, boolean, string]>([
    [
      '402 declined',
      failure({ response: { status: 402, data: { error: { code: 'card_declined' } } } }),
      true,
      'refused',
    ],
    [
      '409 key mismatch',
      failure({ response: { status: 409, data: { error: { type: 'idempotency_error' } } } }),
      true,
      'conflict',
    ],
    ['503', failure({ response: { status: 503 } }), false, 'outcome_unknown'],
    ['a network error', failure({ code: 'ECONNRESET' }), false, 'outcome_unknown'],
  ])('after %s is said with its reason', async (_, thrown, allowed, category) => {
    const { ledger } = await aLedger()
    const call = aCall({ tool: 'charges.create', repeat: KEYED, maxAttempts: 1 })
    await ledger.run(call, () => Promise.reject(thrown))
    const { document } = await ledger.show(call.id)
    expect(document.new_key_allowed).toBe(allowed)
    expect(document.new_key_reason).toMatch(
      allowed ? /no attempt of it took effect|another request/ : /twice/,
    )
    expect(document.next_action.category).toBe(category)
  })
})

describe('K1: the key of an operation', () => {
  it('is the same at its second attempt, whoever asks for another', async () => {
    const { ledger } = await aLedger()
    const keys: string[] = []
    const call = aCall({ repeat: KEYED, maxAttempts: 2 })
    for (let runs = 0; runs < 3 && keys.length < 2; runs++)
      await ledger.run(call, ({ idempotencyKey }) => {
        keys.push(idempotencyKey)
        throw failure({ code: 'ETIMEDOUT' })
      })
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    const write = { url: 'https://pay.example/charges', headers: { 'Idempotency-Key': 'k-b' } }
    const other = { id: 'charge-2', task: 'task-1', tool: 'charges.create', repeat: KEYED }
    await expect(ledger.fetch(other, write)).rejects.toThrow("the ledger sends the operation's own key")
  })
})

describe('a call that a layer below retried', () => {
  it('is unknown although its last answer is a refusal, and the record says which layer', async () => {
    const { ledger, store } = await aLedger()
    const contract: Contract = {}
    const thrown = failure({ name: 'ValidationException', $metadata: { httpStatusCode: 400, attempts: 3 } })
    await ledger.run(aCall({ contract, maxAttempts: 1 }), () => Promise.reject(thrown))
    expect((await recordOf(store)).operation).toMatchObject({
      status: 'unknown',
      last_error: { rule: 'resent_below' },
    })
  })
})

describe('J3: a lease that lapsed while its executor was busy', () => {
  it('ends in both results on record: confirmed, two objects, and said to be two executions', async () => {
    const clock = testClock(Date.now())
    const { ledger, store } = await aLedger({ clock })
    const call = aCall({ repeat: KEYED, retry: { base_ms: 0 } })
    const [a, b] = ['A', 'B'].map(value => ({ kind: 'ticket', value }))
    await ledger.prepare(call)
    const busy = await ledger.send(call.id, { leaseMs: 30_000 })
    if (!busy.sent) throw new Error('it is sent')
    clock.advance(31_000)
    const outcome = await ledger.run(call, async ({ attempt, externalId }) => {
      expect(attempt).toBe(2)
      const late = await ledger.confirm(busy.sending, { external_ids: a === undefined ? [] : [a] })
      expect(late).toMatchObject({ held: false, late: true, status: 'confirmed' })
      await externalId('ticket', 'B')
      return 'B'
    })
    expect(outcome).toMatchObject({ status: 'confirmed' })
    const { operation, attempts, external_ids } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'confirmed', flags: { duplicates: true } })
    expect(attempts.map(({ n, end }) => [n, end])).toEqual([
      [1, 'applied'],
      [2, 'applied'],
    ])
    expect(external_ids).toEqual([a, b])
    const { document } = await ledger.report('task-1')
    expect(document.duplicates).toMatchObject([
      { operations: [call.id], reason: expect.stringContaining('two executions, two results') },
    ])
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })
})
