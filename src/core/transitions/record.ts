import { leaseUntil } from '../lease.js'
import type { Operation, OperationStatus } from '../operation.js'
import type { EventBody, Large, Settable } from './events.js'
import type { Move } from './guards/guard.js'
import { flagged, late, orphanError, otherTarget, resultDigest, sent, takenOver } from './record-attempt.js'
import {
  acceptedTarget,
  allInDoubt,
  allowed,
  byHand,
  doubtAgain,
  grantGone,
  resolvedNotExecuted,
  settledFlags,
  stopped,
  undoneBefore,
  useSpent,
} from './record-decision.js'
import { importedNews } from './record-import.js'
import type { Context, Scheduled } from './requests.js'

/** What one kind of request writes beside the move itself. */
export interface Addition
  extends Pick<
    EventBody,
    'set' | 'attempt' | 'attempts' | 'ends' | 'external_ids' | 'reason' | 'quota' | 'facts'
  > {
  readonly large?: Partial<Large>
}

/** `to` is where the table's row leads. */
export function additionOf(move: Move, to: OperationStatus): Addition {
  const { state, request, context } = move
  const { operation } = state
  switch (request.type) {
    case 'prepare':
      return {}
    case 'takeover':
      return { set: takenOver(move), reason: request.reason }
    case 'withdraw':
      return {
        set: { next_attempt_at: null, retry_reason: null, ...grantGone(operation) },
        reason: request.reason,
      }
    case 'send':
      return sent(state, request, context)
    case 'accept':
      return {
        set: leaseUntilRemote(context, request.patience_ms),
        external_ids: request.remote === null ? [] : [request.remote],
        facts: {
          remote: request.remote === null ? null : { kind: request.remote.kind, value: request.remote.value },
        },
      }
    case 'confirm':
      return {
        set: {
          settled_by: request.by,
          ...resultDigest(request.result_digest),
          ...flagged(operation, {
            ...(request.duplicates ? { duplicates: true } : {}),
            ...otherTarget(operation, request.external_ids),
          }),
        },
        external_ids: request.external_ids,
        large: { result: request.result },
      }
    case 'reject':
    case 'reject_in_doubt':
      return { set: { last_error: request.error, ...budgetSpent(operation, request) } }
    case 'lose':
      return {
        set: { last_error: request.error, ...budgetSpent(operation, request) },
        external_ids: request.external_ids ?? [],
      }
    case 'schedule_retry': {
      const { set, ...rest } = scheduled(request)
      return { ...rest, set: { ...set, last_error: request.error } }
    }
    case 'orphan':
      return {
        set: { last_error: orphanError(operation, request, context) },
        facts: { why: request.why },
        ...(request.reason === null ? {} : { reason: request.reason }),
      }
    case 'resend': {
      const { set, ...rest } = scheduled(request.retry ?? null)
      return { ...rest, set: { ...set, settled_by: null } }
    }
    case 'rerun':
      return { set: { next_attempt_at: null, retry_reason: null, settled_by: null } }
    case 'allow_retry':
      return allowed(move, request)
    case 'absent':
      return {
        set: { settled_by: 'probe' },
        ends: allInDoubt(move),
        facts: { rules_version: request.rules_version, seen_attempts: request.seen_attempts },
      }
    case 'resolve_confirmed':
      return {
        set: {
          ...byHand(context),
          ...resultDigest(request.result_digest),
          ...settledFlags(operation, {
            ...acceptedTarget(operation, request.external_ids),
            ...(request.without_evidence ? { without_evidence: true } : {}),
          }),
        },
        external_ids: request.external_ids,
        large: { result: request.result },
        reason: request.reason,
      }
    case 'resolve_not_executed':
      return resolvedNotExecuted(move, request)
    case 'late_result':
      return late(move, request, to)
    case 'contradict':
      return {
        set: {
          settled_by: null,
          flags: { ...operation.flags, ...undoneBefore(move), contradicted: true },
          ...useSpent(operation),
        },
        ends: [
          ...(request.attempt === null ? [] : [{ n: request.attempt, end: 'applied' as const }]),
          ...doubtAgain(move).filter(({ n }) => n !== request.attempt),
        ],
        external_ids: request.external_ids,
        reason: request.reason,
      }
    case 'reopen':
      return {
        set: {
          settled_by: null,
          flags: { ...operation.flags, ...undoneBefore(move), reopened: true },
          ...useSpent(operation),
          // a cancel holds until reopen; a denial for ever
          ...(operation.flags.denied ? {} : { cancel_requested_at: null }),
        },
        ends: doubtAgain(move),
        reason: request.reason,
      }
    case 'question':
      return { set: flagged(operation, { compensation_in_question: true }), reason: request.reason }
    case 'acknowledge': {
      // what was acknowledged stays on record; another object that turns up later asks again
      const { duplicates: _, ...flags } = operation.flags
      return {
        set: { flags: { ...flags, acknowledged_duplicates: request.reason } },
        reason: request.reason,
      }
    }
    case 'cancel': {
      const { superseded_by } = request
      const replaced = superseded_by === undefined ? {} : flagged(operation, { superseded_by })
      return { set: { ...stopped(move), ...replaced }, reason: request.reason }
    }
    case 'deny':
      return {
        set: { ...stopped(move), flags: { ...operation.flags, denied: true } },
        reason: request.reason,
      }
    case 'abandon':
      return { set: byHand(context), reason: request.reason }
    case 'import':
      return importedNews(move, request, to)
  }
}

function scheduled(retry: Scheduled | null): Addition & { readonly set: Settable } {
  return {
    set: {
      next_attempt_at: retry?.next_attempt_at ?? null,
      retry_reason: retry?.retry_reason ?? null,
    },
    ...(retry?.quota === undefined ? {} : { quota: retry.quota }),
  }
}

function budgetSpent(operation: Operation, { budget_spent }: { readonly budget_spent?: string }): Settable {
  return budget_spent === undefined ? {} : flagged(operation, { budget_spent })
}

function leaseUntilRemote({ now }: Context, patienceMs: number): Settable {
  return { lease_owner: 'remote', ...leaseUntil(now, patienceMs) }
}
