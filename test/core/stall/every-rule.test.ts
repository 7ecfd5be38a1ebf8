import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/attempt.js'
import type { StallRuleId } from '../../../src/core/stall/rule.js'
import { STALL_RULES, TASK_STALL_RULES } from '../../../src/core/stall/stalls.js'
import type { Task } from '../../../src/core/task.js'
import { asked, aTask, NOON, RECEIPT } from '../builders.js'
import { rulesOf, type Told, times } from './actions.js'
import { HOUR, later, MINUTE, prepared, rulesAfter, sent, withColumns } from './subjects.js'

// Of every rule: just before its limit it is silent, just after it speaks, and there is something that keeps it silent however
// far beyond. What real programs left stands in test/ledger/looking/real-records.test.ts.

type Rules = readonly StallRuleId[]

interface Proof {
  /** the rules that speak just before the limit */
  readonly before: () => Rules
  readonly after: () => Rules
  readonly silent: () => Rules
}

const LONG = 100 * HOUR
const beating = withColumns(sent(), { heartbeat_at: NOON }, { heartbeat_at: NOON })
const held = sent({}, { lease_ms: LONG })
const refused = later(
  sent(),
  {
    type: 'schedule_retry',
    attempt: 1,
    fence: 2,
    error: { rule: 'http_429', message: 'slow down', at: NOON, attempt: 1 },
    next_attempt_at: NOON + MINUTE,
    retry_reason: 'Retry-After: 60',
  },
  NOON,
)
const stuck = (over: object = {}) => {
  const signs = { heartbeat_at: NOON + HOUR, progress_at: NOON }
  return withColumns(held, { ...signs, lease_expires_at: NOON + LONG, ...over }, signs)
}
/** A second sending began at noon; the first one ended so long after that. */
const overlapped = (firstEndedMs: number | null) => {
  const [first] = sent().attempts
  if (first === undefined) throw new Error('a sent operation has an attempt')
  const ended = firstEndedMs === null ? {} : { ended_at: NOON + firstEndedMs, end: 'not_applied' as const }
  const attempts: Attempt[] = [
    { ...first, sent_at: NOON - MINUTE, ...ended },
    { ...first, n: 2, fence: 4, owner: 'host/boot-1/2', sent_at: NOON },
  ]
  return { operation: { ...sent().operation, attempt: 2 }, attempts }
}
const charge = { tool: 'charge', input: { amount: 1 }, operation_id: 'charge-1', idempotency_key: 'k1' }
const twin = later(sent(charge), asked.confirm(), NOON, { evidence: [RECEIPT] }).operation
const certainlyNot = later(sent(charge), asked.reject(), NOON, { evidence: [RECEIPT] }).operation
const again = (over: object = {}) => {
  const state = prepared({ ...charge, operation_id: 'charge-2', idempotency_key: 'k2' })
  return { ...state, operation: { ...state.operation, same_as: 'charge-1', ...over } }
}

/** Its service keeps for three hours what can tell. */
const keeping = () => ({ contract: { keeps_ms: 3 * HOUR } })

const OPERATIONS: Readonly<Record<string, Proof>> = {
  heartbeat_lost: {
    before: () => rulesAfter(beating, 3 * MINUTE),
    after: () => rulesAfter(beating, 3 * MINUTE + 1),
    silent: () => rulesAfter(withColumns(beating, { lease_owner: 'remote' }), LONG),
  },
  evidence_expires: {
    before: () => rulesAfter(sent(keeping(), { lease_ms: LONG }), 2 * HOUR - 1),
    after: () => rulesAfter(sent(keeping(), { lease_ms: LONG }), 2 * HOUR),
    silent: () => rulesAfter(prepared(keeping()), LONG),
  },
  attempt_overdue: {
    before: () => rulesAfter(sent({}, { lease_ms: null }), 15 * MINUTE),
    after: () => rulesAfter(sent({}, { lease_ms: null }), 15 * MINUTE + 1),
    silent: () => rulesAfter(sent({ timeout_ms: 2 * LONG }, { lease_ms: null }), LONG),
  },
  deadline_passed: {
    before: () => rulesAfter(prepared({ deadline_at: NOON + MINUTE }), MINUTE),
    after: () => rulesAfter(prepared({ deadline_at: NOON + MINUTE }), MINUTE + 1),
    silent: () =>
      rulesAfter(prepared({ deadline_at: NOON + MINUTE }), LONG, {
        task: aTask({ status: 'waiting_input' }),
      }),
  },
  retry_overdue: {
    before: () => rulesAfter(refused, 6 * MINUTE),
    after: () => rulesAfter(refused, 6 * MINUTE + 1),
    silent: () => rulesAfter(refused, LONG, { task: aTask({ status: 'suspended' }) }),
  },
  never_sent: {
    before: () => rulesAfter(prepared(), 15 * MINUTE),
    after: () => rulesAfter(prepared(), 15 * MINUTE + 1),
    silent: () => rulesAfter(prepared({ contract: { approval: 'required' } }), LONG),
  },
  no_progress: {
    before: () => rulesAfter(stuck(), HOUR),
    after: () => rulesAfter(stuck(), HOUR + 1),
    silent: () => rulesAfter(stuck({ lease_owner: 'remote' }), HOUR + 2 * MINUTE),
  },
  overlapping_attempts: {
    before: () => rulesAfter(overlapped(0), MINUTE),
    after: () => rulesAfter(overlapped(1), MINUTE),
    silent: () =>
      rulesAfter(overlapped(null), MINUTE, {
        look: {
          now: { at: NOON + MINUTE, boot_id: '', boot_ms: 0 },
          isOwnerGone: owner => owner !== 'host/boot-1/2',
        },
      }),
  },
  duplicate_writes: {
    before: () => rulesAfter(again(), MINUTE, { twin: certainlyNot }),
    after: () => rulesAfter(again(), MINUTE, { twin }),
    silent: () => rulesAfter(again({ effect: 'read' }), MINUTE, { twin }),
  },
}

const poll: Told = { tool: 'log', input: {}, result: 'nothing', outcome: 'ok' }
const failing: Told = { tool: 'deploy', input: {}, result: 'denied', outcome: 'error' }
const turns = (n: number) =>
  times(n, i => ({ tool: i % 2 === 0 ? 'edit' : 'test', input: {}, result: 'same', outcome: 'ok' }))
const said: Told = { kind: 'message', input: 'let me think' }
const condensed: Told = { kind: 'condensation' }
const waiting: Partial<Task> = { status: 'waiting_input' }
const alive: Partial<Task> = { heartbeat_at: NOON + HOUR }

const TASKS: Readonly<Record<string, Proof>> = {
  heartbeat_lost: {
    before: () => rulesOf([], { task: { heartbeat_at: NOON }, afterMs: 3 * MINUTE }),
    after: () => rulesOf([], { task: { heartbeat_at: NOON }, afterMs: 3 * MINUTE + 1 }),
    silent: () => rulesOf([], { task: { ...waiting, heartbeat_at: NOON }, afterMs: LONG }),
  },
  loop_same_action_same_result: {
    before: () => rulesOf(times(3, () => poll)),
    after: () => rulesOf(times(4, () => poll)),
    silent: () => rulesOf(times(99, i => ({ ...poll, result: i }))),
  },
  loop_same_action_error: {
    before: () => rulesOf(times(2, () => failing)),
    after: () => rulesOf(times(3, () => failing)),
    silent: () => rulesOf(times(99, i => ({ ...failing, input: { i } }))),
  },
  loop_alternating: {
    before: () => rulesOf(turns(5)),
    after: () => rulesOf(turns(6)),
    silent: () => rulesOf(turns(98).map((one, i) => ({ ...one, result: i }))),
  },
  loop_monologue: {
    before: () => rulesOf([said, said]),
    after: () => rulesOf([said, said, said]),
    silent: () => rulesOf(times(99, i => (i % 3 === 2 ? { kind: 'input' } : said))),
  },
  loop_context_window: {
    before: () => rulesOf([condensed, condensed]),
    after: () => rulesOf([condensed, condensed, condensed]),
    silent: () => rulesOf(times(99, i => (i % 3 === 2 ? { ...poll, result: i } : condensed))),
  },
  no_progress: {
    before: () => rulesOf([], { task: alive, afterMs: HOUR }),
    after: () => rulesOf([], { task: alive, afterMs: HOUR + 1 }),
    silent: () => rulesOf([], { task: alive, afterMs: HOUR + MINUTE, recent: { open: 1 } }),
  },
  deadline_passed: {
    before: () => rulesOf([], { task: { deadline_at: NOON + MINUTE }, afterMs: MINUTE }),
    after: () => rulesOf([], { task: { deadline_at: NOON + MINUTE }, afterMs: MINUTE + 1 }),
    silent: () => rulesOf([], { task: { deadline_at: NOON + MINUTE, status: 'completed' }, afterMs: LONG }),
  },
  budget_spent: {
    before: () => rulesOf([], { task: { budget: { steps: 40 }, steps: 39 } }),
    after: () => rulesOf([], { task: { budget: { steps: 40 }, steps: 40 } }),
    silent: () => rulesOf([], { task: { budget: { steps: 1 }, steps: 99, status: 'budget_exhausted' } }),
  },
}

describe.each([
  ['an operation', STALL_RULES, OPERATIONS],
  ['a task', TASK_STALL_RULES, TASKS],
] as const)('of %s', (_, rules, proofs) => {
  it('there is a proof for every rule and none for others', () => {
    expect(Object.keys(proofs).sort()).toEqual(rules.map(({ id }) => id).sort())
  })

  it.each(Object.entries(proofs))(
    '%s speaks just after its limit, not at it, and is kept silent',
    (id, proof) => {
      expect(proof.before()).not.toContain(id)
      expect(proof.after()).toContain(id)
      expect(proof.silent()).not.toContain(id)
    },
  )
})
