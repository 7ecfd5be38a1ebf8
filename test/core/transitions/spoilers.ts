import type { Operation } from '../../../src/core/operation.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { aContext, aTask, NOON, stampAt, TICKET } from '../builders.js'

/** What a guard looks at, whole. */
export interface Asked {
  readonly state: State
  readonly request: Request
  readonly context: Context
}

/** Guard id → the smallest change of a case that passes, after which this guard, and none before it, refuses. */
export const SPOILERS: Readonly<Record<string, (asked: Asked) => Asked>> = {
  task_not_cancelled: context({ task: aTask({ status: 'cancelled' }) }),
  same_write_once: context({ same_write: 'ticket-0' }),
  task_running: context({ task: aTask({ taken_over_by: 'ben' }) }),
  not_in_grace: context({ task: aTask({ grace_until: NOON, grace_reason: 'a loop' }) }),
  input_kept: row({ input: { redacted: { digest: `sha256:${'0'.repeat(64)}`, bytes: 2 } } }),
  epoch_as_claimed: requested({ epoch: 0 }),
  no_cancel_asked: row({ cancel_requested_at: NOON }),
  fence_as_held: requested({ fence: 99 }),
  same_incarnation: context({ new_incarnation: true }),
  no_stranger_seen: row({
    last_error: { rule: 'unannounced_attempt', message: 'a sign of life came', at: NOON, attempt: 9 },
    extra_attempts: 0,
  }),
  deadline_ahead: row({ deadline_at: NOON }),
  retry_time_reached: row({ next_attempt_at: NOON + 1 }),
  budget_left: row({ max_attempts: 0, extra_attempts: 0 }),
  repeat_safe_or_accepted: row({ may_have_applied: true, repeat: null }),
  compensation_allowed: row({ compensates: 'ticket-0' }),
  approval_matches: row({ contract: { approval: 'required' } }),
  attempt_is_live: requested({ fence: 99 }),
  evidence_given: context({ evidence: [] }),
  may_have_applied: row({ may_have_applied: false }),
  nothing_may_have_applied: row({ may_have_applied: true }),
  no_other_attempt_in_doubt: asked => ({ ...asked, state: withAnotherInDoubt(asked.state) }),
  other_attempt_in_doubt: asked => ({ ...asked, state: withOthersRefused(asked.state) }),
  executor_gone: context({ now: stampAt(NOON), owner_gone: false }),
  never_reopened: row({ flags: { reopened: true } }),
  never_contradicted: row({ flags: { contradicted: true } }),
  nothing_on_file: context({ known_external_ids: [TICKET] }),
  clocks_trusted: context({ clock_doubt: true }),
  nothing_on_file_for_a_repeat: asked => inDoubt(SPOILERS.nothing_on_file?.(asked) ?? asked),
  clocks_trusted_for_a_repeat: asked => inDoubt(SPOILERS.clocks_trusted?.(asked) ?? asked),
  probe_as_seen: requested({ seen_version: 1 }),
  reason_given: requested({ reason: ' ' }),
  version_as_seen: requested({ expected_version: 99 }),
  arrival_passed_or_early: context({ now: stampAt(NOON) }),
  target_as_asked: requested({ external_ids: [{ kind: 'target', value: 'mail.example' }] }),
  has_duplicates: row({ flags: {} }),
  not_denied: row({ flags: { denied: true } }),
  ours_to_send: row({ provenance: 'imported', lease_fence: 1 }),
  follows_theirs: row({ lease_fence: 2 }),
  their_new_attempt: requested({ attempts: [] }),
  their_record_ends_doubt: requested({ attempts: [] }),
  never_sent: row({ attempt: 1 }),
  not_superseded: row({ flags: { superseded_by: 'ticket-2' } }),
}

const inDoubt = row({ may_have_applied: true, extra_attempts: 0 })

export function asAsked(state: State, request: Request, over: Partial<Context>): Asked {
  return { state, request, context: aContext(over) }
}

function row(over: Partial<Operation>) {
  return (asked: Asked): Asked => ({
    ...asked,
    state: { ...asked.state, operation: { ...asked.state.operation, ...over } },
  })
}

function context(over: Partial<Context>) {
  return (asked: Asked): Asked => ({ ...asked, context: { ...asked.context, ...over } })
}

function requested(over: object) {
  // the tests see to it that only fields of this very request are given
  return (asked: Asked): Asked => ({ ...asked, request: { ...asked.request, ...over } as Request })
}

function withAnotherInDoubt(state: State): State {
  const [first] = state.attempts
  if (first === undefined) return state
  return { ...state, attempts: [...state.attempts, { ...first, n: 99, end: 'ambiguous' }] }
}

function withOthersRefused(state: State): State {
  const { attempt } = state.operation
  return {
    ...state,
    attempts: state.attempts.map(a => (a.n === attempt ? a : { ...a, end: 'not_applied' as const })),
  }
}
