import { describe, expect, it } from 'vitest'
import {
  ATTEMPT_ENDS,
  type Attempt,
  firstSent,
  hasArrivalPassed,
  isAttemptInDoubt,
  latestArrival,
  mayHaveApplied,
} from '../../src/core/attempt.js'
import { NOON, stampAt } from './builders.js'
import { states } from './transitions/cases.js'

const [sent] = states.sent().attempts

function anAttempt(over: Partial<Attempt> = {}): Attempt {
  if (sent === undefined) throw new Error('no attempt was announced')
  return { ...sent, ...over }
}

describe('an attempt', () => {
  it('may have taken effect unless it certainly did not', () => {
    const doubted = [null, ...ATTEMPT_ENDS].filter(end => isAttemptInDoubt(anAttempt({ end })))
    expect(doubted).toEqual([null, 'applied', 'ambiguous'])
  })

  it('counts for the operation unless it is the live one', () => {
    const attempts = [anAttempt({ n: 1, end: 'not_applied' }), anAttempt({ n: 2 })]
    expect(mayHaveApplied(attempts, 2)).toBe(false)
    expect(mayHaveApplied(attempts, null)).toBe(true)
    expect(mayHaveApplied(attempts, 1)).toBe(true)
    expect(mayHaveApplied([], null)).toBe(false)
  })

  it('can arrive until its latest arrival and not a millisecond later', () => {
    const attempt = anAttempt()
    const last = attempt.latest_arrival ?? 0
    expect(last).toBe(NOON + 60_000 + 15 * 60_000)
    expect(hasArrivalPassed(attempt, stampAt(last))).toBe(false)
    expect(hasArrivalPassed(attempt, stampAt(last + 1))).toBe(true)
  })

  it('can arrive until that moment over another boot too, where wall time alone speaks', () => {
    const attempt = anAttempt()
    const last = { at: attempt.latest_arrival ?? 0, boot_id: 'boot-2', boot_ms: 0 }
    expect(hasArrivalPassed(attempt, last)).toBe(false)
    expect(hasArrivalPassed(attempt, { ...last, at: last.at + 1 })).toBe(true)
  })

  it('can still arrive while either clock of its boot says so', () => {
    const attempt = anAttempt()
    const after = stampAt((attempt.latest_arrival ?? 0) + 1)
    expect(hasArrivalPassed(attempt, { ...after, boot_ms: after.boot_ms - 1 })).toBe(false)
    expect(hasArrivalPassed(attempt, { ...after, at: after.at - 1 })).toBe(false)
    expect(hasArrivalPassed(attempt, { ...after, boot_id: 'boot-2', boot_ms: 0 })).toBe(true)
    const nameless = { ...attempt, sent_boot_id: '' }
    expect(hasArrivalPassed(nameless, { ...after, boot_id: '', boot_ms: 0 })).toBe(true)
  })

  it('without a bound can always still arrive', () => {
    expect(hasArrivalPassed(anAttempt({ latest_arrival: null }), stampAt(NOON + 1e12))).toBe(false)
  })
})

describe('the latest arrival of an operation', () => {
  it('is that of the attempts in doubt alone', () => {
    const attempts = [
      anAttempt({ n: 1, latest_arrival: 300, end: 'not_applied' }),
      anAttempt({ n: 2, latest_arrival: 200, end: 'ambiguous' }),
      anAttempt({ n: 3, latest_arrival: 100 }),
    ]
    expect(latestArrival(attempts)).toBe(200)
    expect(latestArrival([])).toBe(0)
  })

  it('is never provable when one of them has no bound', () => {
    const unbounded = anAttempt({ n: 2, latest_arrival: null })
    expect(latestArrival([anAttempt(), unbounded])).toBeNull()
    expect(latestArrival([anAttempt(), { ...unbounded, end: 'absent' }])).not.toBeNull()
  })
})

describe('the first sending', () => {
  it('is the announcement of attempt 1, by both clocks', () => {
    const first = anAttempt({ n: 1, sent_at: 5, sent_boot_id: 'b', sent_boot_ms: 6 })
    expect(firstSent([first, anAttempt({ n: 2 })])).toEqual({ at: 5, boot_id: 'b', boot_ms: 6 })
    expect(firstSent([])).toBeNull()
  })
})
