import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import { digestOf } from '../../src/core/digest.js'
import type { Repeat } from '../../src/core/operation.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

/** Each attempt is asked for by hand. */
const BY_HAND = { retry: { base_ms: 0 }, waitForRetryMs: 0 } as const

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }

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
