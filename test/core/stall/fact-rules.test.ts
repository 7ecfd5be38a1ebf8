import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/attempt.js'
import { overlapOf } from '../../../src/core/overlap.js'
import { stallsOf } from '../../../src/core/stall/stalls.js'
import { openAttempt } from '../attempts.js'
import { asked, NOON, RECEIPT, stampAt } from '../builders.js'
import { HOUR, later, MINUTE, prepared, rulesAfter, SECOND, sent, subjectOf } from './subjects.js'

const look = { now: stampAt(NOON), isOwnerGone: () => false }

describe('a bulk mailing that was started four times', () => {
  const attempts = [
    openAttempt(1, NOON - 4 * HOUR, { progress_at: NOON - 2 * MINUTE, progress: { done: 9000, of: 12000 } }),
    openAttempt(2, NOON - 3 * HOUR),
    openAttempt(3, NOON - 2 * HOUR),
    openAttempt(4, NOON - HOUR),
  ]
  const operation = { ...sent().operation, attempt: 4, created_at: NOON - 4 * HOUR }

  it('is stalled by its overlapping attempts, and the one that still reports is named', () => {
    const stalls = stallsOf(subjectOf({ operation, attempts }, NOON))
    const overlapping = stalls.find(({ rule }) => rule === 'overlapping_attempts')
    expect(overlapping?.reason).toBe(
      '4 attempts overlap (1, 2, 3, 4); attempt 1 is still reporting progress, last 2m ago',
    )
    expect(overlapping?.since).toBe(NOON - 3 * HOUR)
    expect(overlapping?.facts).toEqual({ attempts: [1, 2, 3, 4] })
  })
})

describe('attempts overlap', () => {
  it('when the earlier one ended by itself after the later one began, and not when it ended before', () => {
    const refused = { end: 'not_applied', error: { rule: 'x', message: 'x', at: 0, attempt: 1 } } as const
    const pair = (endedAt: number) => [
      openAttempt(1, NOON, { ...refused, ended_at: endedAt }),
      openAttempt(2, NOON + MINUTE),
    ]
    expect(overlapOf(pair(NOON + MINUTE), look)).toBeNull()
    expect(overlapOf(pair(NOON + MINUTE + 1), look)?.attempts).toEqual([1, 2])
  })

  it('when one that was given up for it still gave a sign of life, and not without one', () => {
    const givenUp = { end: 'ambiguous', ended_at: NOON + MINUTE } as const
    const pair = (over: Partial<Attempt>) => [
      openAttempt(1, NOON, { ...givenUp, ...over }),
      openAttempt(2, NOON + 2 * MINUTE),
    ]
    expect(overlapOf(pair({}), look)).toBeNull()
    expect(overlapOf(pair({ heartbeat_at: NOON + 2 * MINUTE }), look)).toBeNull()
    expect(overlapOf(pair({ heartbeat_at: NOON + 2 * MINUTE + 1 }), look)).toEqual({
      attempts: [1, 2],
      still_reporting: [{ attempt: 1, what: 'heartbeat', at: NOON + 2 * MINUTE + 1 }],
      since: NOON + 2 * MINUTE,
    })
  })

  it('not when the process of the earlier one is known to be gone', () => {
    const attempts = [openAttempt(1, NOON), openAttempt(2, NOON + MINUTE)]
    expect(overlapOf(attempts, look)?.attempts).toEqual([1, 2])
    expect(overlapOf(attempts, { ...look, isOwnerGone: owner => owner === 'host/boot-1/1' })).toBeNull()
  })
})

describe('the same write under another key in one task', () => {
  const charge = { tool: 'create_charge', input: { cus: 'A', amount: 4200 }, timeout_ms: 30 * SECOND }
  const confirmedAt = (id: string, at: number, over: object = {}) => {
    const open = sent({ ...charge, operation_id: id, idempotency_key: `key-of-${id}`, ...over })
    return later(open, asked.confirm(), at, { evidence: [RECEIPT] })
  }
  const first = confirmedAt('charge-5', NOON)
  const second = confirmedAt('charge-6', NOON + 33 * SECOND)
  const marked = { ...second, operation: { ...second.operation, same_as: 'charge-5' } }

  it('is one group with the gap and the time-out side by side, though both are confirmed', () => {
    const [stall, ...rest] = stallsOf(subjectOf(marked, NOON + HOUR, { twin: first.operation }))
    expect(rest).toEqual([])
    expect(stall).toEqual({
      rule: 'duplicate_writes',
      since: NOON,
      limit: null,
      reason: 'same tool and input as charge-5, 33s apart (the time-out is 30s), other key',
      facts: {
        operations: ['charge-5', 'charge-6'],
        gap_ms: 33_000,
        timeout_ms: 30_000,
        keys_differ: true,
      },
    })
  })

  it('is said before the second is sent, which is when it can still be stopped', () => {
    const again = prepared({ ...charge, operation_id: 'charge-6', idempotency_key: 'k2' })
    const open = { ...again, operation: { ...again.operation, same_as: 'charge-5' } }
    const [stall] = stallsOf(subjectOf(open, NOON + SECOND, { twin: first.operation }))
    expect(stall?.reason).toMatch(/^would do again what charge-5/)
  })

  it('is nothing when the first certainly did not happen, or when it only reads', () => {
    const refused = later(sent(charge), asked.reject(), NOON, { evidence: [RECEIPT] })
    expect(rulesAfter(marked, HOUR, { twin: refused.operation })).toEqual([])
    const reading = { ...marked, operation: { ...marked.operation, effect: 'read' as const } }
    expect(rulesAfter(reading, HOUR, { twin: first.operation })).toEqual([])
    expect(rulesAfter(marked, HOUR, { twin: null })).toEqual([])
  })
})
