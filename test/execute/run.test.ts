import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { digestOf } from '../../src/core/digest.js'
import type { Repeat } from '../../src/core/operation.js'
import { recoveryRecord } from '../../src/core/run-outcome.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

/** Each attempt is asked for by hand. */
const BY_HAND = { retry: { base_ms: 0 }, waitForRetryMs: 0 } as const

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }

describe('a first run', () => {
  it('has the intent in the ledger, in flight and under a lease, before the handler starts', async () => {
    const { ledger, store } = await aLedger()
    const seen = await ledger.run(aCall(), async ({ attempt, fence, idempotencyKey }) => {
      const { operation, attempts } = await recordOf(store)
      return { operation, attempts, attempt, fence, idempotencyKey }
    })
    if (seen.status !== 'confirmed' || seen.result === undefined) throw new Error(seen.status)
    const { operation, attempts, attempt, fence, idempotencyKey } = seen.result
    expect(operation).toMatchObject({ status: 'in_flight', attempt: 1, may_have_applied: false, version: 2 })
    expect(operation.lease_expires_at).toBeGreaterThan(operation.created_at)
    expect(attempts).toMatchObject([{ n: 1, end: null, fence }])
    expect({ attempt, fence, idempotencyKey }).toEqual({
      attempt: 1,
      fence: operation.lease_fence,
      idempotencyKey: operation.idempotency_key,
    })
  })

  it('answers with the result and records it with its receipt and external ids', async () => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall(), async ({ externalId }) => {
      await externalId('ticket', 7, { url: 'https://tickets.example/7', scope: 'acme' })
      return { id: 'T-7' }
    })
    const ticket = { kind: 'ticket', value: '7', url: 'https://tickets.example/7', scope: 'acme' }
    expect(outcome).toEqual({
      status: 'confirmed',
      result: { id: 'T-7' },
      external_ids: [ticket],
      by: 'receipt',
      replayed: false,
    })
    const { operation, attempts, evidence, external_ids } = await recordOf(store)
    expect(operation).toMatchObject({
      status: 'confirmed',
      result: { id: 'T-7' },
      result_digest: digestOf({ id: 'T-7' }),
      settled_by: 'receipt',
      lease_owner: null,
    })
    expect(attempts).toMatchObject([{ end: 'applied' }])
    expect(external_ids).toEqual([ticket])
    expect(evidence.map(({ kind, origin, attempt }) => ({ kind, origin, attempt }))).toEqual([
      { kind: 'receipt', origin: 'observed', attempt: 1 },
      { kind: 'receipt', origin: 'observed', attempt: 1 },
    ])
    expect(evidence[1]?.body).toMatchObject({ result: { id: 'T-7' }, result_digest: digestOf({ id: 'T-7' }) })
  })

  it('opens a task that nobody opened', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ task: 'never-opened' }), () => 1)
    expect(await store.task('never-opened')).toMatchObject({ status: 'running', epoch: 1 })
  })

  it('keeps an external id even if nothing is recorded afterwards', async () => {
    const { ledger, store } = await aLedger()
    const inside = held<void>()
    const never = held<void>()
    const running = ledger.run(aCall(), async ({ externalId }) => {
      await externalId('ticket', 'T-9')
      inside.resolve()
      await never.promise
    })
    await inside.promise
    expect((await recordOf(store)).external_ids).toEqual([{ kind: 'ticket', value: 'T-9' }])
    never.resolve()
    await running
  })

  it('shows secrets neither in the receipt nor in the error', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall(), () => ({ id: 'T-1', password: 'hunter2hunter2' }))
    await ledger.run(aCall({ id: 'b' }), () => {
      throw new Error('POST failed: api_key=abc123def456')
    })
    const first = await recordOf(store)
    const second = await recordOf(store, 'b')
    expect(JSON.stringify(first.evidence)).not.toContain('hunter2')
    expect(JSON.stringify([second.evidence, second.operation.last_error, second.attempts])).not.toContain(
      'abc123',
    )
    // what a resumed run needs stays whole, and the digest is over it
    expect(first.operation.result).toEqual({ id: 'T-1', password: 'hunter2hunter2' })
  })
})

describe('asking again', () => {
  it('answers a confirmed operation from the record and does not run the handler', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => ({ id: 'T-1' }))
    const { calls, handler } = counting({ id: 'T-2' })
    expect(await ledger.run(aCall(), handler)).toEqual({
      status: 'confirmed',
      result: { id: 'T-1' },
      external_ids: [],
      by: 'receipt',
      replayed: true,
    })
    expect(calls).toEqual([])
  })

  it('refuses another input under the same id, with both digests and where they differ', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ input: { title: 'a', tags: ['x'], gone: 1 } }), () => 1)
    const before = await recordOf(store)
    const { calls, handler } = counting(2)
    const other = { title: 'b', tags: ['x', 'y'], 'odd name': true }
    await expect(ledger.run(aCall({ input: other }), handler)).rejects.toMatchObject({
      code: 'different_input',
      id: 'ticket-1',
      facts: {
        stored_digest: before.operation.input_digest,
        given_digest: digestOf(other),
        differing_paths: [
          'input.gone (removed)',
          'input["odd name"] (added)',
          'input.tags[1] (added)',
          'input.title (changed)',
        ],
      },
    })
    expect(calls).toEqual([])
    expect((await recordOf(store)).operation).toEqual(before.operation)
  })

  it.each([
    ['tool', { tool: 'tickets.close' }],
    ['target', { target: 'another' }],
  ])('refuses another %s under the same id', async (path, over) => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => 1)
    await expect(ledger.run(aCall(over), () => 2)).rejects.toMatchObject({
      code: 'different_input',
      facts: { differing_paths: [`${path} (changed)`] },
    })
  })

  it('is the same input in whatever order its names stand', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall({ input: { a: 1, b: [{ c: 2, d: 3 }] } }), () => 'once')
    const again = await ledger.run(aCall({ input: { b: [{ d: 3, c: 2 }], a: 1 } }), () => 'twice')
    expect(again).toMatchObject({ status: 'confirmed', result: 'once' })
  })

  it('does not run the handler again for one in doubt whose repeat nobody declared safe', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall(), () => Promise.reject(new Error('socket hang up')))
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({
      status: 'unknown',
      next_action: {
        operation_id: 'ticket-1',
        safe_to_repeat: false,
        next_action: 'ask_person',
        attempts: 1,
      },
    })
    expect(calls).toEqual([])
    expect((await recordOf(store)).operation).toMatchObject({ status: 'unknown', version: 3 })
  })

  it('sends one in doubt again under the same key where its contract says that this is safe', async () => {
    const { ledger, store } = await aLedger()
    const keys: string[] = []
    const call = aCall({ repeat: KEYED, ...BY_HAND })
    await ledger.run(call, ({ idempotencyKey }) => {
      keys.push(idempotencyKey)
      throw new Error('socket hang up')
    })
    const outcome = await ledger.run(call, ({ idempotencyKey, attempt, previous }) => {
      keys.push(idempotencyKey)
      return { attempt, ends: previous.attempts.map(({ end }) => end) }
    })
    expect(outcome).toMatchObject({ status: 'confirmed', result: { attempt: 2, ends: ['ambiguous'] } })
    expect(new Set(keys).size).toBe(1)
    expect((await recordOf(store)).attempts).toMatchObject([{ end: 'ambiguous' }, { end: 'applied' }])
  })

  it('does not make it not_executed when the repeat is refused: the first may have applied', async () => {
    const { ledger } = await aLedger()
    const call = aCall({ repeat: KEYED, ...BY_HAND })
    await ledger.run(call, () => Promise.reject(new Error('socket hang up')))
    const outcome = await ledger.run(call, () => Promise.reject(notExecuted('quota')))
    expect(outcome).toMatchObject({ status: 'unknown', next_action: { attempts: 2 } })
  })

  it('runs again what certainly did not happen, until its attempts are used', async () => {
    const { ledger } = await aLedger()
    const refused = () => Promise.reject(notExecuted('the queue is full'))
    const call = aCall({ maxAttempts: 2 })
    expect(await ledger.run(call, refused)).toMatchObject({
      status: 'not_executed',
      reason: 'the queue is full',
    })
    expect(await ledger.run(call, refused)).toMatchObject({ status: 'not_executed' })
    const { calls, handler } = counting(1)
    expect(await ledger.run(call, handler)).toMatchObject({
      status: 'not_executed',
      reason: 'the queue is full; not sent again: all 2 attempts are used',
    })
    expect(calls).toEqual([])
  })

  it('gives the progress and the external ids of an earlier attempt to the next', async () => {
    const { ledger } = await aLedger()
    const call = aCall({ repeat: { kind: 'conditional', names: 'permanent' }, ...BY_HAND })
    await ledger.run(call, async ({ progress }) => {
      await progress({ batch: 3 })
      throw new Error('reset')
    })
    const outcome = await ledger.run(call, ({ previous }) => ({
      batch: previous.progress,
      ids: previous.external_ids,
    }))
    expect(outcome).toMatchObject({ result: { batch: { batch: 3 }, ids: [] } })
  })

  it('does not send again when an external id is on file', async () => {
    const { ledger } = await aLedger()
    const call = aCall({ repeat: KEYED })
    await ledger.run(call, async ({ externalId }) => {
      await externalId('ticket', 'T-1')
      throw new Error('reset')
    })
    const { calls, handler } = counting(1)
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'unknown' })
    expect(calls).toEqual([])
  })

  it('says who holds one that is in flight elsewhere', async () => {
    const { ledger, path } = await aLedger()
    const { ledger: other } = await aLedger({ path })
    const end = held<string>()
    const first = ledger.run(aCall(), () => end.promise)
    await expect
      .poll(() => other.run(aCall(), () => 'twice').then(({ status }) => status))
      .toBe('in_progress')
    const second = await other.run(aCall(), () => 'twice')
    if (second.status !== 'in_progress') throw new Error(second.status)
    expect(second.owner).toContain(`/${process.pid}/`)
    expect(second.until).toBeGreaterThan(Date.now())
    end.resolve('once')
    expect(await first).toMatchObject({ status: 'confirmed', result: 'once' })
  })

  it('lets one of many at once run, in one process', async () => {
    const { ledger } = await aLedger()
    const { calls, handler } = counting('done')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => ledger.run(aCall(), handler)))
    expect(calls).toEqual([1])
    expect(outcomes.filter(({ status }) => status === 'confirmed').length).toBeGreaterThanOrEqual(1)
    expect(outcomes.every(({ status }) => status === 'confirmed' || status === 'in_progress')).toBe(true)
  })
})

describe('what may not be sent now', () => {
  it('waits for an approval, with its intent written down', async () => {
    const { ledger, store } = await aLedger()
    const { calls, handler } = counting(1)
    const call = aCall({ contract: { approval: 'required' } })
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'approval' })
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'approval' })
    expect(calls).toEqual([])
    expect((await recordOf(store)).operation).toMatchObject({ status: 'prepared', version: 1 })
  })

  it('waits for a person: a compensation of what is not confirmed', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => Promise.reject(new Error('reset')))
    const { calls, handler } = counting(1)
    const undo = aCall({ id: 'undo', tool: 'tickets.close', compensates: 'ticket-1' })
    expect(await ledger.run(undo, handler)).toMatchObject({
      status: 'waiting',
      for: 'person',
      reason: expect.stringContaining('not confirmed'),
    })
    expect(calls).toEqual([])
  })
})

describe('a compensation', () => {
  it('is sent at its first asking, once what it undoes is confirmed and can no longer arrive', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall({ contract: { arrival_bound_ms: 0 } }), () => ({ id: 'T-1' }))
    const undo = aCall({ id: 'undo', tool: 'tickets.close', compensates: 'ticket-1' })
    expect(await ledger.run(undo, () => 'closed')).toMatchObject({ status: 'confirmed', result: 'closed' })
    const second = aCall({ id: 'undo-2', tool: 'tickets.close', compensates: 'ticket-1' })
    expect(await ledger.run(second, () => 'closed')).toMatchObject({
      status: 'waiting',
      reason: expect.stringContaining('already undone by undo'),
    })
  })
})

describe('a compensation that was asked for twice', () => {
  it('answers with what the first one did, under whatever id', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ contract: { arrival_bound_ms: 0 } }), () => ({ id: 'T-1' }))
    const undo = aCall({ id: 'undo', tool: 'refund', compensates: 'ticket-1', input: { order: 9 } })
    await ledger.run(undo, ({ externalId }) => externalId('refund', 're_100'))
    const { calls, handler } = counting(1)
    for (const id of ['undo', 'undo-2'])
      expect(await ledger.run({ ...undo, id }, handler)).toMatchObject({
        status: 'confirmed',
        external_ids: [{ kind: 'refund', value: 're_100' }],
        replayed: true,
      })
    expect(calls).toEqual([])
    expect(await store.operation('undo-2')).toBeNull()
  })
})

describe('A10: a sign of life after the end', () => {
  it('changes nothing: what is settled stays as it is', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall())
    const sent = await ledger.send('ticket-1')
    if (!sent.sent) throw new Error('it is sent')
    await ledger.confirm(sent.sending)
    const before = await recordOf(store)
    expect(await ledger.heartbeat(sent.sending, { leaseMs: 60_000 })).toMatchObject({ held: false })
    expect(await recordOf(store)).toEqual(before)
    expect((await ledger.list({ show: 'stalled' })).operations).toEqual([])
  })
})

describe('a recovery record', () => {
  it('says of every outcome that is not confirmed how to go on', async () => {
    const { ledger } = await aLedger()
    const lost = await ledger.run(aCall(), () => Promise.reject(new Error('reset')))
    expect(recoveryRecord(lost)).toEqual({
      domain: 'external_operation',
      category: 'outcome_unknown',
      operation_id: 'ticket-1',
      attempts: 1,
      safe_to_repeat: false,
      next_action: 'ask_person',
      reason: 'only a person can find out whether it happened',
    })
    const refused = await ledger.run(aCall({ id: 'b' }), () => Promise.reject(notExecuted('quota')))
    expect(recoveryRecord(refused)).toMatchObject({
      category: 'refused',
      operation_id: 'b',
      next_action: 'none',
    })
    const waits = await ledger.run(aCall({ id: 'c', contract: { approval: 'required' } }), () => 1)
    expect(recoveryRecord(waits)).toMatchObject({ operation_id: 'c', next_action: 'ask_person' })
    expect(recoveryRecord(await ledger.run(aCall({ id: 'd' }), () => 1))).toBeNull()
  })
})

describe('what a person settled', () => {
  it('comes back with their result, or as abandoned, and is not run again', async () => {
    const { ledger } = await aLedger()
    const lost = () => Promise.reject(new Error('reset'))
    await ledger.run(aCall(), lost)
    await ledger.run(aCall({ id: 'b' }), lost)
    await ledger.resolve('ticket-1', {
      as: 'confirmed',
      evidence: ['https://tickets.example/7'],
      result: { id: 'T-7' },
      reason: 'it is there',
    })
    await ledger.abandon('b', { reason: 'nobody knows' })
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({
      status: 'confirmed',
      by: 'person',
      result: { id: 'T-7' },
      replayed: true,
    })
    expect(await ledger.run(aCall({ id: 'b' }), handler)).toMatchObject({ status: 'abandoned' })
    expect(calls).toEqual([])
  })
})

describe('an id', () => {
  it('is warned about when it looks made by chance', async () => {
    const { ledger, warnings } = await aLedger()
    await ledger.run(aCall({ id: 'refund/7c9e6679-7425-40de-944b-e07fc1f90ae7' }), () => 1)
    await ledger.run(aCall({ id: 'refund/order-9' }), () => 1)
    expect(warnings).toMatchObject([{ code: 'random_id', operation_id: expect.stringContaining('7c9e6679') }])
  })
})
