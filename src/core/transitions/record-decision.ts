import { hasArrivalPassed, isAttemptInDoubt } from '../attempt.js'
import type { ExternalId, Flags, Operation } from '../operation.js'
import { targetDifference } from '../target.js'
import type { Settable } from './events.js'
import type { Move } from './guards/guard.js'
import type { Addition } from './record.js'
import type { Context, RequestOf } from './requests.js'

export function allowed({ state: { operation } }: Move, request: RequestOf<'allow_retry'>): Addition {
  const { cancel_requested_at } = operation
  // what was accepted for an earlier grant says nothing about this one
  const { duplicate_allowed: before, ...flags } = operation.flags
  return {
    set: {
      extra_attempts: 1,
      next_attempt_at: null,
      retry_reason: null,
      settled_by: null,
      ...(cancel_requested_at === null ? {} : { cancel_requested_at: null }),
      ...(request.accept_duplicate !== null
        ? { flags: { ...flags, accepted_duplicate: request.accept_duplicate, duplicate_allowed: true } }
        : before
          ? { flags }
          : {}),
    },
    reason: request.reason,
    facts: { accept_duplicate: request.accept_duplicate },
  }
}

export function resolvedNotExecuted(move: Move, request: RequestOf<'resolve_not_executed'>): Addition {
  const { state, context } = move
  const canArrive = state.attempts.filter(
    attempt => isAttemptInDoubt(attempt) && !hasArrivalPassed(attempt, context.now),
  )
  const isEarly = canArrive.length > 0
  return {
    set: {
      ...byHand(context),
      ...settledFlags(state.operation, {
        ...(isEarly ? { early: true } : {}),
        ...(request.without_evidence ? { without_evidence: true } : {}),
      }),
    },
    ends: allInDoubt(move).filter(({ n }) => !canArrive.some(attempt => attempt.n === n)),
    reason: request.reason,
  }
}

export function stopped({ state: { operation }, context }: Move): Settable {
  return {
    cancel_requested_at: operation.cancel_requested_at ?? context.now.at,
    ...grantGone(operation),
  }
}

/** What a person says when they settle it replaces what was marked about its target and its evidence before. */
export function settledFlags(operation: Operation, more: Flags): Settable {
  const { target_differs, accepted_target, without_evidence, ...kept } = operation.flags
  const flags: Flags = { ...kept, ...more }
  return Object.keys({ ...operation.flags, ...flags }).length === 0 ? {} : { flags }
}

export function acceptedTarget(operation: Operation, touched: readonly ExternalId[]): Flags {
  const difference = targetDifference(operation.target, touched)
  return difference === null ? {} : { accepted_target: difference }
}

/** An attempt that a person granted goes with the leave to send: it is not there for somebody else to use. */
export function grantGone({ extra_attempts }: Operation): Settable {
  return extra_attempts === 0 ? {} : { extra_attempts: 0 }
}

/** What was settled was settled under this use of the approval: another attempt needs another use. */
export function useSpent({ approval_id }: Operation): Settable {
  return approval_id === null ? {} : { approval_id: null }
}

export function allInDoubt({ state: { attempts } }: Move) {
  return attempts.filter(isAttemptInDoubt).map(({ n }) => ({ n, end: 'absent' as const }))
}

export function doubtAgain({ state: { attempts } }: Move) {
  return attempts.filter(({ end }) => end === 'absent').map(({ n }) => ({ n, end: 'ambiguous' as const }))
}

export function byHand({ actor, now }: Context): Settable {
  return { settled_by: 'person', by_hand: { by: actor, at: now.at } }
}

/** It leaves `confirmed`, and something was sent that undoes it. */
export function undoneBefore({ state: { operation }, context }: Move): Flags {
  return operation.status === 'confirmed' && context.undone_by.length > 0
    ? { compensation_in_question: true }
    : {}
}
