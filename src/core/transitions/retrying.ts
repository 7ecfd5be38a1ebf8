import { firstSent } from '../attempt.js'
import { isSafeToRepeat } from '../repeat.js'
import { type NextAttempt, nextAttempt } from '../retry.js'
import { decide } from './decide.js'
import { evolve } from './evolve.js'
import type { Context, Request, Scheduled, State, Step } from './requests.js'
import { type Ended, isHeld, settle } from './settle.js'

type Failed = Extract<Ended, { end: 'not_applied' | 'ambiguous' }>

/**
 * What the end of an attempt comes to, with what follows it by itself: a refusal of the moment is tried again later,
 * and so is a lost answer where a repeat is safe now. Where only attempts or time are missing for that, the step says
 * so (`budget_spent`). `jitter` is in [0, 1).
 */
export function settleOrRetry(state: State, ended: Ended, context: Context, jitter: number): Step[] {
  const steps = settle(state, ended, context.known_external_ids)
  const [outcome] = steps
  if (outcome === undefined || !isHeld(state, ended)) return steps
  if (!('retry' in ended) || ended.retry === undefined) return steps
  if (ended.end === 'not_applied' && !ended.retry.retryable) return steps
  const next = nextAttempt({
    state,
    context,
    since: context.now.at,
    retry_after_ms: ended.retry.retry_after_ms,
    jitter,
  })
  const seen = { ...context, evidence: ended.evidence }
  return ended.end === 'not_applied'
    ? refused(state, ended, { outcome, next, context: seen })
    : lost(state, { outcome, next, context: seen })
}

interface Following {
  /** what the end comes to without a retry */
  readonly outcome: Step
  readonly next: NextAttempt
  readonly context: Context
}

function refused(state: State, ended: Failed, { outcome, next, context }: Following): Step[] {
  const { attempt, fence, error } = ended
  // times are given only so that the table can be asked: it looks at neither
  const retry = next.due ? scheduled(next) : { next_attempt_at: context.now.at, retry_reason: '' }
  const request: Request = { type: 'schedule_retry', attempt, fence, error, ...retry }
  const after = afterIt(state, request, context)
  const isAllowed = after.ok ? isRepeatable(after.state, context) : after.rule === 'budget_left'
  if (!isAllowed) return [outcome]
  if (!next.due) return [spentOrNot(outcome, next)]
  return after.ok ? [{ ...outcome, request }] : [outcome]
}

function lost(state: State, { outcome, next, context }: Following): Step[] {
  const after = afterIt(state, outcome.request, context)
  if (!after.ok || !isRepeatable(after.state, context)) return [outcome]
  const again: Request = { type: 'resend', retry: next.due ? scheduled(next) : null }
  const decided = afterIt(after.state, again, { ...context, evidence: [] })
  if (!decided.ok && decided.rule !== 'budget_left') return [outcome]
  if (!next.due) return [spentOrNot(outcome, next)]
  return decided.ok ? [outcome, { request: again }] : [outcome]
}

export function scheduled({ at, reason, quota }: Extract<NextAttempt, { due: true }>): Scheduled {
  return { next_attempt_at: at, retry_reason: reason, ...(quota === undefined ? {} : { quota }) }
}

function spentOrNot(outcome: Step, next: Extract<NextAttempt, { due: false }>): Step {
  const { request } = outcome
  const mayBeSpent =
    request.type === 'reject' || request.type === 'reject_in_doubt' || request.type === 'lose'
  if (next.spent !== 'budget' || !mayBeSpent) return outcome
  return { ...outcome, request: { ...request, budget_spent: next.reason } }
}

/** A repeat may follow where nothing may have applied, or where the service recognises it. */
function isRepeatable({ operation, attempts }: State, { now, target_touched }: Context): boolean {
  const question = { operation, now, targetTouched: target_touched, firstSent: firstSent(attempts) }
  return isSafeToRepeat(question).safe
}

function afterIt(
  state: State,
  request: Request,
  context: Context,
): { readonly ok: true; readonly state: State } | { readonly ok: false; readonly rule: string } {
  const decided = decide(state, request, context)
  if (!decided.ok) return { ok: false, rule: decided.refusal.rule }
  const { operation_id } = state.operation
  const { body, large } = decided.event
  return { ok: true, state: evolve(state, { operation_id, at: context.now.at, body, large }) }
}
