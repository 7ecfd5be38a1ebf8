import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { digestOf } from '../../src/core/digest.js'
import { recoveryRecord } from '../../src/core/run-outcome.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

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

  it('refuses a handler that is no function before anything is written: nothing could have been sent', async () => {
    const { ledger, store } = await aLedger()
    await expect(ledger.run(aCall(), undefined as never)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await store.operation(aCall().id)).toBeNull()
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

describe('an id', () => {
  it('is warned about when it looks made by chance', async () => {
    const { ledger, warnings } = await aLedger()
    await ledger.run(aCall({ id: 'refund/7c9e6679-7425-40de-944b-e07fc1f90ae7' }), () => 1)
    await ledger.run(aCall({ id: 'refund/order-9' }), () => 1)
    expect(warnings).toMatchObject([{ code: 'random_id', operation_id: expect.stringContaining('7c9e6679') }])
  })
})
