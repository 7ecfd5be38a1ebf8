import { describe, expect, it } from 'vitest'
import type { StallRuleId } from '../../../src/core/stall/rule.js'
import { stallsOf, taskStallsOf } from '../../../src/core/stall/stalls.js'
import type { State } from '../../../src/core/transitions/requests.js'
import { type aTask, NOON } from '../builders.js'
import * as actions from './actions.js'
import { HOUR, MINUTE, prepared, SECOND, sent, subjectOf, withColumns } from './subjects.js'

const OVERDUE = { retry_reason: 'x', next_attempt_at: NOON + MINUTE }
const leaseless = (over: Parameters<typeof sent>[0] = {}) => sent(over, { lease_ms: null })
const progressed = (at: number) => withColumns(leaseless(), { progress_at: at }, { progress_at: at })
const beating = (at: number) =>
  withColumns(
    sent(),
    { heartbeat_at: at, progress_at: NOON, lease_expires_at: NOON + 9 * HOUR },
    {
      heartbeat_at: at,
      progress_at: NOON,
    },
  )

const OPERATIONS: readonly (readonly [StallRuleId, State, number, string])[] = [
  ['attempt_overdue', leaseless(), 16 * MINUTE, 'attempt 1 has run for 16m; the limit is 15m, the default'],
  [
    'attempt_overdue',
    progressed(NOON + MINUTE),
    20 * MINUTE,
    'attempt 1 has made no progress for 19m; the limit is 15m, the default',
  ],
  [
    'attempt_overdue',
    withColumns(leaseless({ timeout_ms: 30 * SECOND }), {}, { progress_at: NOON + MINUTE }),
    2 * MINUTE,
    "attempt 1 has run for 2m; the limit is 30s, the tool's time-out",
  ],
  [
    'attempt_overdue',
    withColumns(
      leaseless({ contract: { stall: { attempt_overdue: MINUTE } } }),
      {},
      { progress_at: NOON + MINUTE },
    ),
    2 * MINUTE,
    'attempt 1 has run for 2m; the limit is 1m, set for its tool',
  ],
  [
    'deadline_passed',
    prepared({ deadline_at: NOON + MINUTE }),
    3 * MINUTE,
    'its deadline passed 2m ago; the limit is 0s, the default',
  ],
  [
    'deadline_passed',
    sent({ deadline_at: NOON + MINUTE }),
    3 * MINUTE,
    'its deadline passed 2m ago; the limit is 0s, the default',
  ],
  [
    'retry_overdue',
    withColumns(prepared(), OVERDUE),
    11 * MINUTE,
    'its next attempt was due 10m ago; the limit is 5m, the default',
  ],
  [
    'never_sent',
    prepared(),
    16 * MINUTE,
    'prepared and not sent, no sign of its executor for 16m; the limit is 15m, the default',
  ],
  [
    'no_progress',
    beating(NOON + 2 * HOUR),
    2 * HOUR,
    'it lives, and has achieved nothing for 2h; the limit is 1h, the default',
  ],
]

const TASKS: readonly (readonly [StallRuleId, Parameters<typeof aTask>[0], number, string])[] = [
  [
    'heartbeat_lost',
    { heartbeat_at: NOON },
    4 * MINUTE,
    'no sign of life from its agent for 4m; the limit is 3m, the default',
  ],
  [
    'deadline_passed',
    { deadline_at: NOON + MINUTE },
    3 * MINUTE,
    'its deadline passed 2m ago; the limit is 0s, the default',
  ],
  [
    'no_progress',
    { heartbeat_at: NOON + 2 * HOUR },
    2 * HOUR,
    'it lives, nothing of it is open, and nothing new was achieved for 2h; the limit is 1h, the default',
  ],
  [
    'budget_spent',
    { budget: { steps: 40, cost: 5 }, steps: 41, cost: 6 },
    0,
    'its budget is used up and it goes on: 41 of 40 steps, cost 6 of 5',
  ],
]

describe('a person reads', () => {
  it.each(OPERATIONS)(
    'of an operation by %s its age, its limit and whose that is',
    (rule, state, ms, reason) => {
      const stalls = stallsOf(subjectOf(state, NOON + ms))
      expect(stalls.find(one => one.rule === rule)?.reason).toBe(reason)
    },
  )

  it.each(TASKS)('of a task by %s its age, its limit and whose that is', (rule, task, afterMs, reason) => {
    const stalls = taskStallsOf(actions.subjectOf([], { task, afterMs }))
    expect(stalls.find(one => one.rule === rule)?.reason).toBe(reason)
  })

  it('of a loop of several what came round, and of one that asks on purpose how long it may', () => {
    const [a, b] = ['edit', 'test'].map(tool => ({ tool, input: {}, result: 'same', outcome: 'ok' }) as const)
    const turns = actions.times(6, i => ({ ...(i % 2 === 0 ? a : b) }) as actions.Told)
    expect(taskStallsOf(actions.subjectOf(turns))[0]?.reason).toBe(
      'the same 2 calls with the same answers, 3 times in 50s: test {} → same; the limit is 6, the default',
    )
    const polls = actions.times(4, i => ({
      ...a,
      tool: 'poll',
      stall: { polling: MINUTE },
      at: NOON + i * MINUTE,
    }))
    expect(taskStallsOf(actions.subjectOf(polls as actions.Told[]))[0]?.reason).toBe(
      'same call, same answer, 4 times in 3m: poll {} → same; it is asked again on purpose, and its answer may stay the same for 1m, set for its tool',
    )
  })
})

describe('a budget that is used up', () => {
  const found = (task: Parameters<typeof aTask>[0], afterMs = 0) =>
    taskStallsOf(actions.subjectOf([], { task, afterMs })).find(({ rule }) => rule === 'budget_spent')

  it('is told with every part that is, and nothing of the others', () => {
    expect(found({ budget: { steps: 40, cost: 5 }, steps: 41, cost: 1 })?.facts).toEqual({
      spent: [{ part: 'steps', used: 41, allowed: 40 }],
    })
  })

  it('is so since its time was over, else since the agent did something last', () => {
    expect(found({ budget: { time_ms: MINUTE } }, HOUR)?.since).toBe(NOON + MINUTE)
    expect(found({ budget: { time_ms: 2 * HOUR, steps: 1 }, steps: 1 }, HOUR)?.since).toBe(NOON)
    expect(found({ budget: { steps: 1 }, steps: 1, activity_at: NOON + MINUTE }, HOUR)?.since).toBe(
      NOON + MINUTE,
    )
  })

  it('is no trouble while a person holds the task', () => {
    expect(
      found({ budget: { steps: 1 }, steps: 1, taken_over_by: 'ana', taken_over_at: NOON }),
    ).toBeUndefined()
  })
})
