import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/core/digest.js'
import { LARGEST_RESULT } from '../../src/core/kept-result.js'
import { throwing } from './support/hostile.js'
import { aCall, aLedger, recordOf } from './support/ledgers.js'

function cyclic(): object {
  const ring: Record<string, unknown> = {}
  ring.self = ring
  return ring
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

describe('a result', () => {
  it.each([
    ['nothing', undefined, false],
    ['null', null, true],
    ['false', false, true],
    ['zero', 0, true],
    ['the empty text', '', true],
    ['a list', [1, { a: null }], true],
  ])('that is %s comes back the same on a replay', async (_, result, isThere) => {
    const { ledger } = await aLedger()
    const first = await ledger.run(aCall(), () => result)
    const again = await ledger.run(aCall(), () => 'another')
    expect(first).toEqual({
      status: 'confirmed',
      ...(isThere ? { result } : {}),
      external_ids: [],
      by: 'receipt',
      replayed: false,
    })
    expect(again).toEqual({ ...first, replayed: true })
  })

  it('comes back as JSON holds it', async () => {
    const { ledger } = await aLedger()
    const at = new Date(Date.UTC(2026, 2, 10))
    await ledger.run(aCall(), () => ({ at, left: undefined }))
    expect(await ledger.run(aCall(), () => null)).toMatchObject({
      result: { at: '2026-03-10T00:00:00.000Z' },
    })
  })

  it.each([
    ['a cycle', cyclic(), 'circular'],
    ['a BigInt', { n: 10n }, 'BigInt'],
    ['a function', () => 1, 'a function'],
    ['a lone surrogate', { text: '\ud800' }, 'surrogate'],
    ['a getter that throws', throwing(), 'no'],
    ['nesting without end', nested(100_000), 'call stack'],
  ])('that JSON cannot hold (%s) is returned, confirmed, and said not to be kept', async (_, result, why) => {
    const { ledger, store, warnings } = await aLedger()
    const outcome = await ledger.run(aCall(), () => result)
    expect(outcome.status).toBe('confirmed')
    if (outcome.status === 'confirmed') expect(outcome.result).toBe(result)
    const { operation, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'confirmed', result: null, result_digest: null })
    expect(evidence[0]?.body).toMatchObject({ result_left_out: expect.stringContaining(why) })
    expect(warnings).toMatchObject([{ code: 'result_not_kept', operation_id: 'ticket-1' }])
    expect(await ledger.run(aCall(), () => 'again')).not.toHaveProperty('result')
  })

  it.each([500, 501, 1_100])('of %i levels is confirmed, and kept up to 500 of them', async levels => {
    const { ledger, store, warnings } = await aLedger()
    const result = nested(levels)
    expect(await ledger.run(aCall(), () => result)).toMatchObject({ status: 'confirmed' })
    const { operation } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'confirmed', result_digest: digestOf(result) })
    expect(operation.result).toEqual(levels > 500 ? null : result)
    expect(warnings.map(({ code }) => code)).toEqual(levels > 500 ? ['result_not_kept'] : [])
    expect((await ledger.verify()).findings).toEqual([])
  })

  it('of the largest size is kept whole, of one byte more by its digest alone', async () => {
    const { ledger, store, warnings } = await aLedger()
    const whole = 'x'.repeat(LARGEST_RESULT - 2)
    await ledger.run(aCall(), () => whole)
    expect(warnings).toEqual([])
    expect(await ledger.run(aCall(), () => '')).toMatchObject({ result: whole })
    const larger = `${whole}x`
    await ledger.run(aCall({ id: 'b' }), () => larger)
    const { operation, evidence } = await recordOf(store, 'b')
    expect(operation).toMatchObject({ status: 'confirmed', result: null, result_digest: digestOf(larger) })
    expect(evidence[0]?.body).toMatchObject({
      result_bytes: LARGEST_RESULT + 1,
      result_left_out: expect.stringContaining(`${LARGEST_RESULT}`),
    })
    expect(warnings).toMatchObject([{ code: 'result_not_kept', operation_id: 'b' }])
    expect(await ledger.run(aCall({ id: 'b' }), () => '')).toEqual({
      status: 'confirmed',
      external_ids: [],
      by: 'receipt',
      replayed: true,
    })
  })
})

describe('what a handler names', () => {
  it('is taken as it comes, and what cannot be an external id is left out with a warning', async () => {
    const { ledger, store, warnings } = await aLedger()
    const outcome = await ledger.run(aCall(), async ({ externalId, progress }) => {
      await externalId('issue', 42)
      await externalId('big', 12345678901234567890n)
      await externalId('', 'x')
      await externalId('rounded', 12345678901234567000)
      await externalId('ticket', undefined as never)
      await externalId('ticket', 'a\0b')
      await externalId('ticket', '\ud800')
      await externalId('ticket', 'x'.repeat(3_000))
      await progress(cyclic() as never)
      await progress(nested(1_100) as never)
    })
    expect(outcome).toMatchObject({ status: 'confirmed' })
    const { external_ids } = await recordOf(store)
    expect(external_ids.map(({ kind, value }) => `${kind}=${value}`).sort()).toEqual([
      'big=12345678901234567890',
      'issue=42',
    ])
    expect(warnings.map(({ code }) => code)).toEqual(Array(8).fill('evidence_unfit'))
  })

  it('tells apart heartbeat, activity and progress', async () => {
    const { ledger, store } = await aLedger()
    const seen = await ledger.run(aCall(), async context => {
      const beats = [await context.heartbeat()]
      const one = await recordOf(store)
      beats.push(await context.activity())
      const two = await recordOf(store)
      beats.push(await context.progress({ done: 3 }))
      const three = await recordOf(store)
      return {
        beats,
        one: one.operation,
        two: two.operation,
        three: three.operation,
        attempt: three.attempts[0],
      }
    })
    if (seen.status !== 'confirmed' || seen.result === undefined) throw new Error(seen.status)
    const { beats, one, two, three, attempt } = seen.result
    expect(beats).toEqual(Array(3).fill({ held: true, cancel_requested: false }))
    expect([one.heartbeat_at !== null, one.activity_at, one.progress_at]).toEqual([true, null, null])
    expect([two.activity_at !== null, two.progress_at]).toEqual([true, null])
    expect([three.progress_at !== null, three.progress]).toEqual([true, { done: 3 }])
    expect(attempt?.progress).toEqual({ done: 3 })
    // signs of life are no events
    expect(three.version).toBe(2)
  })
})
