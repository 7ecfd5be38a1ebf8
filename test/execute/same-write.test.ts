import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

const SAME = { input: { title: 'Disk full' } }
const other = aCall({ id: 'ticket-2', ...SAME })

describe('C1: the same tool and input under another id of the task', () => {
  it('answers with what the earlier one came to, and the handler is not run', async () => {
    const { ledger, store, warnings } = await aLedger()
    await ledger.run(aCall(), async ({ externalId }) => {
      await externalId('ticket', 'T-1')
      return { id: 'T-1' }
    })
    const { calls, handler } = counting({ id: 'T-2' })
    expect(await ledger.run(other, handler)).toEqual({
      status: 'confirmed',
      result: { id: 'T-1' },
      external_ids: [{ kind: 'ticket', value: 'T-1' }],
      by: 'receipt',
      replayed: true,
      answered_by: 'ticket-1',
    })
    expect(await ledger.prepare(other)).toMatchObject({ operation_id: 'ticket-1', status: 'confirmed' })
    expect(warnings).toMatchObject([
      { code: 'same_write', operation_id: 'ticket-2', message: expect.stringContaining('ticket-1') },
    ])
    expect(calls).toEqual([])
    expect(await store.operation('ticket-2')).toBeNull()
  })

  it('is unknown while the earlier one is in doubt', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => Promise.reject(new Error('reset')))
    const { calls, handler } = counting(1)
    expect(await ledger.run(other, handler)).toMatchObject({
      status: 'unknown',
      next_action: { operation_id: 'ticket-1' },
    })
    expect(calls).toEqual([])
  })

  it('sees that the executor of the earlier one is gone', async () => {
    const { ledger, store } = await aLedger({ isOwnerGone: () => true })
    await ledger.prepare(aCall())
    await ledger.send('ticket-1')
    expect(await ledger.run(other, () => 1)).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store)).operation.status).toBe('unknown')
  })

  it('is carried out where the caller says why, and the reason stays', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall(), () => 'first')
    const again = { ...other, again: 'the customer ordered two' }
    expect(await ledger.run(again, () => 'second')).toMatchObject({ status: 'confirmed', result: 'second' })
    expect((await recordOf(store, 'ticket-2')).operation).toMatchObject({
      same_as: 'ticket-1',
      flags: { again: 'the customer ordered two' },
    })
  })

  it.each([
    ['the earlier one certainly did not happen', {}, refuse],
    ['it is a read', { effect: 'read' }, one],
  ] as const)('is carried out where %s', async (_, over, first: () => unknown) => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(over), first)
    const { calls, handler } = counting(2)
    expect(await ledger.run({ ...other, ...over }, handler)).toMatchObject({ result: 2 })
    expect(calls).toEqual([1])
  })

  it('is another write in another task, by another tool, and with another input', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => 1)
    const { calls, handler } = counting(2)
    await ledger.run({ ...other, id: 'a', task: 'task-2' }, handler)
    await ledger.run({ ...other, id: 'b', tool: 'tickets.close' }, handler)
    await ledger.run({ ...other, id: 'c', input: { title: 'Disk full', at: 2 } }, handler)
    expect(calls).toEqual([1, 1, 1])
  })

  it('is told to a program in another language with the id that stands for it', async () => {
    const { ledger } = await aLedger()
    await ledger.run(aCall(), () => ({ id: 'T-1' }))
    const given = { operation_id: 'ticket-2', task_id: 'task-1', tool: 'tickets.create', ...SAME }
    expect(await ledger.record('prepare', given)).toMatchObject({
      ok: false,
      operation_id: 'ticket-1',
      status: 'confirmed',
      result: { id: 'T-1' },
      error: { code: 'conflict', rule: 'same_write_once' },
    })
    expect(await ledger.record('prepare', { ...given, again: 'two are wanted' })).toMatchObject({
      ok: true,
      operation_id: 'ticket-2',
    })
  })
})

describe("a caller's own idempotency key", () => {
  it('is stored once and given to the handler', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ idempotencyKey: 'order-9' })
    expect(await ledger.run(call, ({ idempotencyKey }) => idempotencyKey)).toMatchObject({
      result: 'order-9',
    })
    expect((await recordOf(store)).operation.idempotency_key).toBe('order-9')
  })

  it('K1: that changes while the first is in doubt is refused', async () => {
    const { ledger } = await aLedger()
    const keyed = { kind: 'idempotency_key', retention_ms: 86_400_000 } as const
    const call = aCall({ idempotencyKey: 'k-a', repeat: keyed, waitForRetryMs: 0 })
    await ledger.run(call, () => Promise.reject(new Error('timeout')))
    const { calls, handler } = counting(1)
    await expect(ledger.run({ ...call, idempotencyKey: 'k-b' }, handler)).rejects.toMatchObject({
      code: 'refused',
      rule: 'key_changed_while_unknown',
      id: 'ticket-1',
    })
    expect(calls).toEqual([])
  })

  it('that changes after a refusal is refused too, and after a receipt the record answers', async () => {
    const { ledger } = await aLedger()
    const call = aCall({ idempotencyKey: 'k-a' })
    await ledger.run(call, () => Promise.reject(notExecuted('no')))
    const changed = { ...call, idempotencyKey: 'k-b' }
    await expect(ledger.run(changed, () => 1)).rejects.toMatchObject({ rule: 'key_changed' })
    await ledger.run(call, () => 'done')
    expect(await ledger.run(changed, () => 'twice')).toMatchObject({ result: 'done', replayed: true })
  })

  it('K3: of another operation with another input is refused, with what differs and who used it first', async () => {
    const { ledger } = await aLedger()
    const call = aCall({
      idempotencyKey: 'k1',
      input: { amount: 1000, note: 'a', password: 'hunter2hunter2' },
    })
    await ledger.run(call, () => 1)
    const changed = { ...call, id: 'b', input: { amount: 2000, note: 'a', password: 'correct-horse-42' } }
    const refused = ledger.run(changed, () => 2)
    await expect(refused).rejects.toMatchObject({
      rule: 'key_reused_with_other_input',
      message: expect.stringContaining('first used by ticket-1'),
      facts: {
        first_used_by: 'ticket-1',
        differences: [
          { path: 'input.amount', before: '1000', after: '2000' },
          { path: 'input.password', before: expect.anything(), after: expect.anything() },
        ],
      },
    })
    const { message, facts } = await refused.catch(error => error)
    expect(`${message} ${JSON.stringify(facts)}`).not.toMatch(/hunter2|horse/)
  })
})

describe('J1: an operation that runs in this very process', () => {
  it('is not begun again, and the answer says that it runs here', async () => {
    const { ledger, path } = await aLedger()
    const { ledger: recovery } = await aLedger({ path })
    const { ledger: elsewhere } = await aLedger({ path, owner: 'another/boot/1/2/3/x' })
    const end = held<string>()
    const entered = held<void>()
    const first = ledger.run(aCall(), () => {
      entered.resolve()
      return end.promise
    })
    await entered.promise
    const { calls, handler } = counting('twice')
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'in_progress', here: true })
    expect(await ledger.record('send', { operation_id: 'ticket-1' })).toMatchObject({
      ok: false,
      error: { rule: 'already_running_here' },
    })
    expect(await recovery.run(aCall(), handler)).toMatchObject({ status: 'in_progress', here: true })
    expect(await elsewhere.run(aCall(), handler)).toMatchObject({ status: 'in_progress', here: false })
    end.resolve('once')
    expect(await first).toMatchObject({ result: 'once' })
    expect(calls).toEqual([])
  })
})

describe('J5: a sign of life from an attempt that nobody announced', () => {
  const stranger = { operation_id: 'ticket-1', attempt: 1, fence: 5 }

  it('is kept as evidence once, and nothing is sent until a person decided', async () => {
    const { ledger, store, warnings } = await aLedger()
    await ledger.prepare(aCall())
    expect(await ledger.heartbeat(stranger)).toMatchObject({ held: false })
    expect(await ledger.record('heartbeat', stranger)).toMatchObject({ ok: false })
    const { operation, evidence, attempts } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'prepared', last_error: { rule: 'unannounced_attempt' } })
    expect(evidence).toMatchObject([{ kind: 'late_result', origin: 'observed', attempt: 1 }])
    expect(attempts).toEqual([])
    expect(warnings).toMatchObject([{ code: 'unannounced_attempt', operation_id: 'ticket-1' }])
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'waiting', for: 'person' })
    await ledger.cancel('ticket-1', { reason: 'nobody knows who that was' })
    await ledger.allowRetry('ticket-1', { reason: 'that executor was ended' })
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'confirmed' })
    expect(calls).toEqual([1])
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('is none when the attempt was announced before, or the operation is settled', async () => {
    const { ledger, store, warnings } = await aLedger()
    await ledger.run(aCall(), () => 1)
    const before = await recordOf(store)
    for (const attempt of [1, 9]) await ledger.heartbeat({ ...stranger, attempt })
    expect(await recordOf(store)).toEqual(before)
    expect(warnings).toEqual([])
  })
})

describe('J8: the holder of an older fence', () => {
  it('is refused its signs of life, and its receipt is kept as late evidence', async () => {
    const { ledger, store } = await aLedger({ isOwnerGone: () => true })
    await ledger.prepare(aCall({ repeat: { kind: 'idempotency_key', retention_ms: 86_400_000 } }))
    const first = await ledger.send('ticket-1')
    if (!first.sent) throw new Error('it is sent')
    await ledger.run(aCall({ waitForRetryMs: 0 }), () => 1)
    const { attempts } = await recordOf(store)
    expect(new Set(attempts.map(({ fence }) => fence)).size).toBe(attempts.length)
    expect(await ledger.progress(first.sending, { batch: 9 })).toMatchObject({ held: false })
    expect(await ledger.heartbeat(first.sending)).toMatchObject({ held: false })
    expect((await recordOf(store)).operation.progress).toBeNull()
    const told = await ledger.confirm(first.sending, { external_ids: [{ kind: 'ticket', value: 'A' }] })
    expect(told).toMatchObject({ held: false, late: true, status: 'confirmed' })
    expect((await recordOf(store)).evidence.at(-1)).toMatchObject({ kind: 'late_result' })
  })
})

function refuse(): Promise<never> {
  return Promise.reject(notExecuted('no'))
}

function one(): number {
  return 1
}
