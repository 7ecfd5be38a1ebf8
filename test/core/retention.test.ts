import { describe, expect, it } from 'vitest'
import { type Candidate, KEEP_RULES, keptBy } from '../../src/core/retention.js'
import { unwritten } from '../../src/core/transitions/evolve.js'
import { NOON } from './builders.js'

const DAY = 86_400_000
const TIMES = { settledBefore: NOON, now: NOON + DAY }

function aCandidate(over: Partial<Candidate['operation']> = {}, beside: Partial<Candidate> = {}): Candidate {
  return {
    operation: {
      ...unwritten('op', NOON - DAY),
      status: 'confirmed',
      settled_at: NOON - 1,
      compensates: null,
      flags: {},
      key_first_used_at: NOON - DAY,
      key_retention_ms: null,
      ...over,
    },
    task_closed_at: NOON - 1,
    task_has_open: false,
    is_compensated: false,
    is_noted: false,
    is_claimed: false,
    ...beside,
  }
}

describe('what may be archived', () => {
  it('is what is settled, in a task that is over, and looked for by nobody', () => {
    expect(keptBy(aCandidate(), TIMES)).toBeNull()
  })

  const CASES: readonly (readonly [string, string, Candidate])[] = [
    ['open', 'it is not settled', aCandidate({ status: 'unknown', settled_at: null })],
    ['too_new', 'it was settled at the very time given', aCandidate({ settled_at: NOON })],
    ['task_open', 'its task is not closed', aCandidate({}, { task_closed_at: null })],
    ['task_open', 'its task was closed at the very time given', aCandidate({}, { task_closed_at: NOON })],
    ['task_open', 'something of its task is open', aCandidate({}, { task_has_open: true })],
    ['flagged', 'there are duplicates', aCandidate({ flags: { duplicates: true } })],
    ['flagged', 'it touched another target', aCandidate({ flags: { target_differs: 'x' } })],
    ['flagged', 'its compensation is in question', aCandidate({ flags: { compensation_in_question: true } })],
    ['compensation', 'it undoes another', aCandidate({ compensates: 'op-0' })],
    ['compensation', 'another undoes it', aCandidate({}, { is_compensated: true })],
    [
      'key_retention',
      'its key ends a moment from now',
      aCandidate({ key_first_used_at: NOON, key_retention_ms: DAY + 1 }),
    ],
    ['noted', 'a note is about it', aCandidate({}, { is_noted: true })],
    ['claimed', 'somebody looks at it', aCandidate({}, { is_claimed: true })],
  ]
  it.each(CASES)('is kept by %s where %s', (rule, _, candidate) => {
    expect(keptBy(candidate, TIMES)).toBe(rule)
  })

  it('has a case for each rule', () => {
    expect(new Set(CASES.map(([rule]) => rule))).toEqual(new Set(KEEP_RULES.map(({ id }) => id)))
  })

  it.each([
    ['its key ended just now', aCandidate({ key_first_used_at: NOON, key_retention_ms: DAY })],
    ['its duplicates are acknowledged', aCandidate({ flags: { acknowledged_duplicates: 'known' } })],
    ['it was never sent', aCandidate({ key_first_used_at: null, key_retention_ms: DAY })],
  ])('goes where %s', (_, candidate) => {
    expect(keptBy(candidate, TIMES)).toBeNull()
  })
})
