import { describe, expect, it } from 'vitest'
import type { AttemptEnd } from '../../../src/core/attempt.js'
import type { ImportedOperation } from '../../../src/core/imported.js'
import { sendingsOf } from '../../../src/core/importing/their-attempts.js'
import { DEFAULT_LEASE_MS } from '../../../src/core/lease.js'
import { DEFAULT_ARRIVAL_BOUND_MS } from '../../../src/core/repeat.js'
import { NOON, theirAttempt } from '../builders.js'
import { anAttempt, anOwnRecord, aRecord } from './record.js'

describe('an attempt of theirs', () => {
  it('is kept with what their record says of it', () => {
    const error = { message: 'no\u0000answer', code: 'E\u0000' }
    expect(attemptsOf({ attempts: [anAttempt(1, 'applied', { error })], heartbeat_at: NOON - 3 })).toEqual([
      {
        n: 1,
        fence: 1,
        owner: 'worker-7',
        sent_at: NOON - 5,
        sent_boot_id: '',
        sent_boot_ms: 0,
        send_by: NOON - 2,
        latest_arrival: NOON - 2 + DEFAULT_ARRIVAL_BOUND_MS,
        ended_at: NOON - 2,
        end: 'applied',
        error: {
          rule: 'other.done',
          message: 'no\ufffdanswer',
          at: NOON - 2,
          attempt: 1,
          code: 'E\ufffd',
        },
        heartbeat_at: NOON - 3,
        activity_at: null,
        progress_at: null,
        progress: null,
      },
    ])
  })

  it('that is open may send at this very moment, whenever it began', () => {
    const [open] = attemptsOf({ status: 'in_flight', attempts: [anAttempt(1, null)] })
    expect(open).toMatchObject({ end: null, ended_at: null, error: null, send_by: NOON + DEFAULT_LEASE_MS })
    expect(open?.latest_arrival).toBe(NOON + DEFAULT_LEASE_MS + DEFAULT_ARRIVAL_BOUND_MS)
  })

  it('has the times of its record where it has none of its own, else now', () => {
    const bare = { sent_at: null, ended_at: null, owner: null }
    const times = (over: Partial<ImportedOperation>, end: AttemptEnd | null = 'applied') => {
      const [one] = attemptsOf({ status: 'unknown', attempts: [anAttempt(1, end, bare)], ...over })
      return [one?.sent_at, one?.ended_at, one?.send_by]
    }
    expect(times({})).toEqual([NOON - 10, NOON - 1, NOON - 1])
    expect(times({ created_at: null })).toEqual([NOON - 1, NOON - 1, NOON - 1])
    expect(times({ created_at: null, updated_at: null })).toEqual([NOON, NOON, NOON])
    expect(times({ updated_at: NOON - 20 })).toEqual([NOON - 10, NOON - 20, NOON - 10])
    expect(times({ created_at: null, updated_at: null }, null)).toEqual([NOON, NOON, NOON + DEFAULT_LEASE_MS])
    expect(attemptsOf({ attempts: [anAttempt(1, 'applied', bare)] })[0]?.owner).toBe('')
    const error = { message: 'lost' }
    const open = attemptsOf({ status: 'in_flight', attempts: [anAttempt(1, null, { error })] })
    expect(open[0]?.error).toEqual({ rule: 'other.done', message: 'lost', at: NOON - 5, attempt: 1 })
  })

  it('shows no attempt that was only counted beside the next one, and lets it arrive as late as the record was written', () => {
    const counted = anAttempt(1, 'ambiguous', { sent_at: null, ended_at: null, owner: null })
    const kept = attemptsOf({ attempts: [counted, anAttempt(2, 'applied')] })
    expect(kept.map(({ sent_at, ended_at, send_by }) => [sent_at, ended_at, send_by])).toEqual([
      [NOON - 10, NOON - 10, NOON - 1],
      [NOON - 5, NOON - 2, NOON - 2],
    ])
  })

  it('counts from 1, each number once, in order; the newest has the heartbeat', () => {
    const attempts = [
      anAttempt(2, 'applied'),
      anAttempt(1, 'ambiguous'),
      anAttempt(0, 'applied'),
      anAttempt(1.5, 'applied'),
      anAttempt(2, 'absent'),
    ]
    const kept = attemptsOf({ attempts, heartbeat_at: NOON })
    expect(kept.map(({ n, end, heartbeat_at }) => [n, end, heartbeat_at])).toEqual([
      [1, 'ambiguous', null],
      [2, 'absent', NOON],
    ])
  })

  it('of this program comes back as it was, but for what its own machine counted', () => {
    const own = {
      ...theirAttempt(1, 'applied'),
      fence: 7,
      sent_boot_id: 'boot-9',
      sent_boot_ms: 5,
      owner: 'me',
    }
    expect(attemptsOf({ own: anOwnRecord({ attempts: [own] }), attempts: [] })).toEqual([
      { ...own, fence: 1, sent_boot_id: '', sent_boot_ms: 0 },
    ])
  })
})

describe('a status and the attempts beside it', () => {
  type Ends = (AttemptEnd | null)[]
  it.each<[ImportedOperation['status'], Ends, ImportedOperation['status'], Ends]>([
    ['in_flight', [], 'in_flight', [null]],
    ['in_flight', [null], 'in_flight', [null]],
    ['in_flight', [null, null], 'in_flight', ['ambiguous', null]],
    ['in_flight', [null, 'not_applied'], 'in_flight', ['ambiguous', 'not_applied', null]],
    ['unknown', [], 'unknown', ['ambiguous']],
    ['unknown', [null], 'unknown', ['ambiguous']],
    ['unknown', ['applied'], 'unknown', ['applied']],
    ['unknown', ['not_applied'], 'unknown', ['not_applied', 'ambiguous']],
    ['abandoned', ['absent', null], 'abandoned', ['absent', 'ambiguous']],
    ['prepared', [], 'prepared', []],
    ['prepared', [null, 'not_applied'], 'prepared', ['ambiguous', 'not_applied']],
    ['confirmed', [], 'confirmed', []],
    ['confirmed', [null, null], 'confirmed', ['ambiguous', 'applied']],
    ['confirmed', ['applied', null], 'confirmed', ['applied', 'ambiguous']],
    ['confirmed', ['ambiguous'], 'confirmed', ['ambiguous']],
    ['not_executed', [], 'not_executed', []],
    ['not_executed', ['not_applied', 'absent'], 'not_executed', ['not_applied', 'absent']],
    ['not_executed', ['ambiguous', null], 'unknown', ['ambiguous', 'ambiguous']],
    ['cancelled', [], 'cancelled', []],
    ['cancelled', ['not_applied'], 'not_executed', ['not_applied']],
    ['cancelled', ['applied'], 'unknown', ['applied']],
  ])('%s with %j is %s with %j', (status, given, expected, ends) => {
    const attempts = given.map((end, i) => anAttempt(i + 1, end))
    const sendings = sendingsOf(aRecord({ status, attempts }), NOON)
    expect([sendings.status, sendings.attempts.map(({ end }) => end)]).toEqual([expected, ends])
    expect(sendings.corrected).toBe(
      expected === 'unknown' && status !== 'unknown'
        ? `it says ${status}, yet an attempt of it may have taken effect`
        : null,
    )
  })

  it('ends what was open now, and what has an end of its own then', () => {
    const [closed] = attemptsOf({ status: 'unknown', attempts: [anAttempt(1, null)] })
    expect(closed).toMatchObject({ end: 'ambiguous', ended_at: NOON })
    const own = { ...theirAttempt(1, null), ended_at: NOON - 4 }
    const [kept] = attemptsOf({ status: 'unknown', own: anOwnRecord({ attempts: [own] }) })
    expect(kept).toMatchObject({ end: 'ambiguous', ended_at: NOON - 4 })
  })

  it('numbers what is not said after what is', () => {
    const attempts = [anAttempt(3, 'not_applied')]
    for (const status of ['unknown', 'in_flight'] as const)
      expect(attemptsOf({ status, attempts }).map(({ n }) => n)).toEqual([3, 4])
  })
})

function attemptsOf(over: Partial<ImportedOperation>) {
  return sendingsOf(aRecord(over), NOON).attempts
}
