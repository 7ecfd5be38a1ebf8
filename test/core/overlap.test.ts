import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.js'
import { overlapOf } from '../../src/core/overlap.js'
import { openAttempt } from './attempts.js'
import { NOON, stampAt } from './builders.js'

const look = { now: stampAt(NOON + 100), isOwnerGone: () => false }
const ERROR = { rule: 'thrown', message: 'x', at: NOON, attempt: 1 }

const attempt = (n: number, at: number, over: Partial<Attempt> = {}) =>
  openAttempt(n, NOON + at, { send_by: NOON + at + 60, latest_arrival: null, ...over })

describe('attempts that ran at the same time', () => {
  it('are named in the order of their numbers, whatever order they come in', () => {
    const all = [attempt(10, 30), attempt(2, 20), attempt(1, 10)]
    const found = { attempts: [1, 2, 10], since: NOON + 20 }
    expect(overlapOf(all, look)).toMatchObject(found)
    expect(overlapOf(all.toReversed(), look)).toMatchObject(found)
    const early = [attempt(2, 10), attempt(1, 20), attempt(3, 5, { end: 'not_applied', ended_at: NOON + 6 })]
    expect(overlapOf(early, look)).toMatchObject({ attempts: [1, 2], since: NOON + 20 })
    expect(overlapOf([attempt(2, 10), attempt(1, 10)], look)).toMatchObject({
      attempts: [1, 2],
      since: NOON + 10,
    })
  })

  it('leave out one that was over before the next began', () => {
    const over = attempt(1, 0, { end: 'not_applied', ended_at: NOON + 5 })
    expect(overlapOf([over, attempt(2, 10), attempt(3, 20)], look)?.attempts).toEqual([2, 3])
  })

  it.each<[string, Partial<Attempt>, boolean]>([
    ['took effect', { end: 'applied', ended_at: NOON + 50 }, true],
    ['was refused', { end: 'not_applied', ended_at: NOON + 50 }, true],
    ['was lost by its own executor', { end: 'ambiguous', error: ERROR, ended_at: NOON + 50 }, true],
    ['was given up for it', { end: 'ambiguous', ended_at: NOON + 50 }, false],
    ['was given up for it and told of progress', { end: 'ambiguous', progress_at: NOON + 11 }, true],
    ['was given up for it and beat', { end: 'ambiguous', heartbeat_at: NOON + 11 }, true],
    ['was refused just before', { end: 'not_applied', ended_at: NOON + 10 }, false],
    ['was given up for it and was active', { end: 'ambiguous', activity_at: NOON + 11 }, true],
    ['was given up for it and told of progress before', { end: 'ambiguous', progress_at: NOON + 9 }, false],
  ])('are one that %s after the next had begun: %s', (_, over, isOverlap) => {
    expect(overlapOf([attempt(1, 0, over), attempt(2, 10)], look) !== null).toBe(isOverlap)
  })

  it('are none of one attempt, and none of nothing', () => {
    expect(overlapOf([attempt(1, 0)], look)).toBeNull()
    expect(overlapOf([], look)).toBeNull()
  })
})

describe('what still reports', () => {
  const reporting = (over: Partial<Attempt>, newest: Partial<Attempt> = {}) =>
    overlapOf([attempt(1, 0, over), attempt(2, 10, newest), attempt(3, 20, newest)], look)?.still_reporting

  it('is an older one that nobody ended, by the best sign it gave after the newest began', () => {
    const signs = { heartbeat_at: NOON + 30, activity_at: NOON + 29, progress_at: NOON + 28 }
    expect(reporting(signs)).toEqual([{ attempt: 1, what: 'progress', at: NOON + 28 }])
    expect(reporting({ ...signs, progress_at: NOON + 20 })).toEqual([
      { attempt: 1, what: 'activity', at: NOON + 29 },
    ])
    expect(reporting({ heartbeat_at: NOON + 21 })).toEqual([{ attempt: 1, what: 'heartbeat', at: NOON + 21 }])
    expect(reporting({ heartbeat_at: NOON + 20 })).toEqual([])
    expect(reporting({})).toEqual([])
  })

  it('is not one that ended by itself, and not the newest', () => {
    const sign = { heartbeat_at: NOON + 30 }
    expect(reporting({ ...sign, end: 'applied', ended_at: NOON + 40 })).toEqual([])
    expect(reporting({}, { heartbeat_at: NOON + 30 })).toEqual([
      { attempt: 2, what: 'heartbeat', at: NOON + 30 },
    ])
  })
})
