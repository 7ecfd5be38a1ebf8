import { describe, expect, it } from 'vitest'
import { decideNotices, type Found, type Notice, SUSPENDING_RULES } from '../../../src/core/stall/notice.js'
import type { Stall } from '../../../src/core/stall/rule.js'
import { NOON } from '../builders.js'
import { MINUTE } from './subjects.js'

const POLICY = { grace_ms: 5 * MINUTE, suspends: SUSPENDING_RULES }

function aStall(over: Partial<Stall> = {}): Stall {
  const facts = { period: 2, times: 6, last_at: 'noon' }
  return { rule: 'loop_alternating', since: NOON, reason: 'round and round', limit: null, facts, ...over }
}

function found(stall = aStall(), over: Partial<Found> = {}): Found {
  return { subject: 'task', subject_id: 'task-1', task_id: 'task-1', stall, ...over }
}

const movesAt = (now: number, seen: readonly Found[], open: readonly Notice[] = []) =>
  decideNotices({ found: seen, open, now, policy: POLICY })

/** The notice that the first look gave. */
function noticed(one = found()): Notice {
  const [move] = movesAt(NOON, [one])
  if (move === undefined) throw new Error('nothing was noticed')
  return move.notice
}

describe('what a supervisor finds', () => {
  it('is told once, with the moment at which its grace ends', () => {
    expect(movesAt(NOON, [found()])).toEqual([
      {
        type: 'notice',
        notice: {
          subject: 'task',
          subject_id: 'task-1',
          task_id: 'task-1',
          rule: 'loop_alternating',
          evidence: expect.stringMatching(/^sha256:/),
          reason: 'round and round',
          stage: 'noticed',
          noticed_at: NOON,
          grace_until: NOON + 5 * MINUTE,
          seen_at: NOON,
          changed_at: NOON,
          told: [],
        },
      },
    ])
    expect(movesAt(NOON + MINUTE, [found()], [noticed()])).toEqual([])
  })

  it('is told again on new evidence, and the grace begins anew', () => {
    const changed: Partial<Stall>[] = [{ since: NOON + 1 }, { facts: { period: 3 } }, { facts: {} }]
    for (const over of changed) {
      const [move, ...rest] = movesAt(NOON + MINUTE, [found(aStall(over))], [noticed()])
      expect(rest).toEqual([])
      expect(move).toMatchObject({ type: 'notice', notice: { grace_until: NOON + 6 * MINUTE } })
    }
  })

  it.each(['times', 'last_at', 'spent'])('is the same where only %s has grown', name => {
    const grown = aStall({
      reason: 'and round',
      facts: { period: 2, times: 6, last_at: 'noon', [name]: 'more' },
    })
    expect(movesAt(NOON + MINUTE, [found(grown)], [noticed()])).toEqual([])
  })

  it('leads to suspension once the grace is over, not before, and once', () => {
    const later = found(aStall({ reason: 'still round' }))
    expect(movesAt(NOON + 5 * MINUTE - 1, [later], [noticed()])).toEqual([])
    const [move, ...rest] = movesAt(NOON + 5 * MINUTE, [later], [noticed()])
    expect(rest).toEqual([])
    const after = { stage: 'suspended', seen_at: NOON + 5 * MINUTE, changed_at: NOON + 5 * MINUTE }
    expect(move).toEqual({ type: 'suspend', notice: { ...noticed(), ...after, reason: 'still round' } })
    const suspended: Notice = { ...noticed(), stage: 'suspended' }
    expect(movesAt(NOON + 9 * MINUTE, [later], [suspended])).toEqual([])
  })

  it('leads to nothing more where the rule is not one of those that suspend', () => {
    const overdue = found(aStall({ rule: 'attempt_overdue' }))
    expect(noticed(overdue).grace_until).toBeNull()
    expect(movesAt(NOON + 99 * MINUTE, [overdue], [noticed(overdue)])).toEqual([])
  })

  it('ends when the rule does not speak any more, and others go on', () => {
    const other = found(aStall(), { subject: 'operation', subject_id: 'op-1' })
    expect(movesAt(NOON + MINUTE, [other], [noticed(), noticed(other)])).toEqual([
      { type: 'end', notice: { ...noticed(), stage: 'ended', changed_at: NOON + MINUTE } },
    ])
  })

  it.each<[string, Partial<Found>]>([
    ['another subject', { subject_id: 'task-2' }],
    ['an operation of the same name', { subject: 'operation' }],
    ['another rule', { stall: aStall({ rule: 'loop_monologue' }) }],
  ])('of %s is a notice of its own', (_, over) => {
    const types = movesAt(NOON + MINUTE, [{ ...found(), ...over }], [noticed()]).map(({ type }) => type)
    expect(types).toEqual(['notice', 'end'])
  })
})

it('suspends for loops, for what achieves nothing, for a spent budget and for a lost agent, and for nothing else', () => {
  expect([...SUSPENDING_RULES].sort()).toEqual([
    'budget_spent',
    'heartbeat_lost',
    'loop_alternating',
    'loop_context_window',
    'loop_monologue',
    'loop_same_action_error',
    'loop_same_action_same_result',
    'no_progress',
  ])
})
