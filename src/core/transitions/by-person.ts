import type { NewEvidence } from '../evidence.js'
import type { JsonValue } from '../json.js'
import { isLeaseLapsed } from '../lease.js'
import { type ExternalId, isSettled, type Operation } from '../operation.js'
import { decide } from './decide.js'
import { evolve } from './evolve.js'
import { versionAsSeen } from './guards/decision.js'
import type { Context, OrphanReason, Refusal, Request, State } from './requests.js'
import type { Transition } from './transition.js'

/** What a person decides about one operation; checked and masked by whoever makes it. */
export type Decision = {
  readonly operation_id: string
  readonly reason: string
  /** the version they looked at; null = whatever is there now */
  readonly expected_version: number | null
} & (
  | {
      readonly type: 'resolve_confirmed'
      readonly evidence: readonly NewEvidence[]
      readonly external_ids: readonly ExternalId[]
      readonly result: JsonValue
      readonly result_digest: string | null
      readonly other_target: boolean
      readonly without_evidence: boolean
    }
  | {
      readonly type: 'resolve_not_executed'
      readonly evidence: readonly NewEvidence[]
      readonly early: boolean
      readonly without_evidence: boolean
    }
  | { readonly type: 'allow_retry'; readonly accept_duplicate: string | null }
  | { readonly type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge' }
)

export type DecisionType = Decision['type']

interface PersonStep {
  readonly request: Request
  readonly evidence?: readonly NewEvidence[]
}

export type Planned =
  | { readonly ok: true; readonly steps: readonly PersonStep[] }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * The requests a decision comes to, for the commit that reads this state. One in flight is orphaned first: the version
 * the person looked at is the one before that. Pure.
 */
export function planDecision(state: State, decision: Decision, context: Context): Planned {
  const { operation } = state
  const changed = versionRefusal(state, decision, context) ?? secondDecision(operation, decision)
  if (changed !== null) return { ok: false, refusal: changed }
  const orphaned = needsOrphan(operation, decision) ? [{ request: orphan(operation, decision, context) }] : []
  const expected_version =
    decision.expected_version === null ? null : decision.expected_version + orphaned.length
  const evidence = 'evidence' in decision ? decision.evidence : []
  return { ok: true, steps: [...orphaned, { request: requestOf(decision, expected_version), evidence }] }
}

export interface Preview {
  /** the state the decision would leave, and the rows of the table it would take */
  readonly after: State
  readonly moves: readonly Transition[]
  readonly refusal: Refusal | null
}

/** What a decision would do to a state, without writing anything. */
export function previewDecision(state: State, decision: Decision, context: Context): Preview {
  const planned = planDecision(state, decision, context)
  if (!planned.ok) return { after: state, moves: [], refusal: planned.refusal }
  let after = state
  const moves: Transition[] = []
  for (const { request, evidence = [] } of planned.steps) {
    const decided = decide(after, request, { ...context, evidence })
    if (!decided.ok) return { after: state, moves: [], refusal: decided.refusal }
    const { body, large } = decided.event
    after = evolve(after, { operation_id: decision.operation_id, at: context.now.at, body, large })
    moves.push(decided.transition)
  }
  return { after, moves, refusal: null }
}

function versionRefusal(state: State, decision: Decision, context: Context): Refusal | null {
  const { reason, expected_version } = decision
  const seen = versionAsSeen.check({ state, request: { type: 'abandon', reason, expected_version }, context })
  return seen === null ? null : { rule: versionAsSeen.id, code: versionAsSeen.code, ...seen }
}

// Decided already: not a broken rule but somebody who was here before.
function secondDecision(operation: Operation, { type }: Decision): Refusal | null {
  const { operation_id, status, cancel_requested_at, flags } = operation
  if (flags.denied && (type === 'deny' || type === 'cancel'))
    return {
      rule: 'not_denied_yet',
      code: 'conflict',
      reason: `${operation_id} was denied already`,
      satisfy: 'a denial is final: no further attempt will be sent',
    }
  const isSecond =
    isSettled(status) &&
    (type === 'resolve_not_executed' ||
      type === 'abandon' ||
      type === 'cancel' ||
      type === 'deny' ||
      type === 'withdraw' ||
      (type === 'resolve_confirmed' && status !== 'not_executed'))
  if (isSecond)
    return {
      rule: 'not_settled_yet',
      code: 'conflict',
      reason: `${operation_id} is settled already: ${status}`,
      satisfy:
        status === 'cancelled' && !flags.denied
          ? 'it stays cancelled; `allow-retry` takes the cancel back, and another intent is another operation'
          : 'see who decided it and why; if it is wrong, reopen it first',
    }
  if (type === 'cancel' && cancel_requested_at !== null)
    return {
      rule: 'cancel_not_asked_yet',
      code: 'conflict',
      reason: `a cancel of ${operation_id} was asked already`,
      satisfy: 'no further attempt will be sent; find out what became of what was sent, then `resolve` it',
    }
  return null
}

// A cancel leaves the live attempt to its executor; everything else speaks of an attempt that nobody holds any more.
function needsOrphan({ status }: Operation, { type }: Decision): boolean {
  const settles = type === 'resolve_confirmed' || type === 'resolve_not_executed' || type === 'abandon'
  return status === 'in_flight' && (settles || type === 'allow_retry')
}

function orphan(operation: Operation, { reason }: Decision, { now, owner_gone }: Context): Request {
  const why: OrphanReason = isLeaseLapsed(operation, now)
    ? 'lease_lapsed'
    : owner_gone
      ? 'owner_gone'
      : 'person'
  return { type: 'orphan', why, reason: why === 'person' ? reason : null }
}

function requestOf(decision: Decision, expected_version: number | null): Request {
  const { type, reason } = decision
  switch (type) {
    case 'resolve_confirmed': {
      const { external_ids, result, result_digest, other_target, without_evidence } = decision
      const said = { external_ids, result, result_digest, other_target, without_evidence }
      return { type, reason, expected_version, ...said }
    }
    case 'resolve_not_executed': {
      const { early, without_evidence } = decision
      return { type, reason, expected_version, early, without_evidence }
    }
    case 'allow_retry':
      return { type, reason, expected_version, accept_duplicate: decision.accept_duplicate }
    case 'withdraw':
      return { type, reason }
    case 'reopen':
    case 'acknowledge':
    case 'abandon':
    case 'cancel':
    case 'deny':
      return { type, reason, expected_version }
  }
}
