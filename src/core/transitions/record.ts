import { isAttemptInDoubt } from '../attempt.js'
import { DEFAULT_LEASE_MS, leaseUntil, NO_LEASE } from '../lease.js'
import type { ExternalId, Flags, LastError, Operation, OperationStatus } from '../operation.js'
import { DEFAULT_ARRIVAL_BOUND_MS, isSafeToRepeat, keyKnownUntil } from '../repeat.js'
import { targetDifference } from '../target.js'
import type { EventBody, Large, Settable } from './events.js'
import type { Move } from './guards/guard.js'
import type { Context, RequestOf } from './requests.js'

/** What one kind of request writes beside the move itself. */
export interface Addition
  extends Pick<EventBody, 'set' | 'attempt' | 'ends' | 'external_ids' | 'reason' | 'facts'> {
  readonly large?: Partial<Large>
}

export function additionOfPrepare(
  { intent }: RequestOf<'prepare'>,
  { same_write }: Context,
): {
  set: Settable
  large: Partial<Large>
} {
  const { operation_id: _, input, repeat, contract, ...columns } = intent
  const said = Object.entries(columns).filter(([, value]) => value !== null && !isEmptyList(value))
  const retention = repeat?.kind === 'idempotency_key' ? repeat.retention_ms : null
  return {
    set: {
      ...Object.fromEntries(said),
      ...(retention === null ? {} : { key_retention_ms: retention }),
      ...(same_write === null ? {} : { same_as: same_write }),
      lease_fence: 1,
    },
    large: { input, repeat, contract },
  }
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
      return { set: { next_attempt_at: null, retry_reason: null }, reason: request.reason }
    case 'send':
      return sent(operation, request, context)
    case 'accept':
      return {
        set: leaseUntilRemote(context, request.patience_ms),
        external_ids: [request.remote],
        facts: { remote: { kind: request.remote.kind, value: request.remote.value } },
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
    case 'lose':
      return { set: { last_error: request.error } }
    case 'schedule_retry':
      return {
        set: {
          last_error: request.error,
          next_attempt_at: request.next_attempt_at,
          retry_reason: request.retry_reason,
        },
      }
    case 'orphan':
      return {
        set: { last_error: orphanError(operation, request, context) },
        facts: { why: request.why },
        ...(request.reason === null ? {} : { reason: request.reason }),
      }
    case 'resend':
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
      return {
        set: {
          ...byHand(context),
          ...settledFlags(operation, {
            ...(request.early ? { early: true } : {}),
            ...(request.without_evidence ? { without_evidence: true } : {}),
          }),
        },
        ends: request.early ? [] : allInDoubt(move),
        reason: request.reason,
      }
    case 'late_result':
      return late(move, request, to)
    case 'contradict':
      return {
        set: { settled_by: null, flags: { ...operation.flags, contradicted: true } },
        ends: [
          ...(request.attempt === null ? [] : [{ n: request.attempt, end: 'applied' as const }]),
          ...doubtAgain(move).filter(({ n }) => n !== request.attempt),
        ],
        external_ids: request.external_ids,
        reason: request.reason,
      }
    case 'reopen':
      return {
        set: { settled_by: null, flags: { ...operation.flags, reopened: true } },
        ends: doubtAgain(move),
        reason: request.reason,
      }
    case 'cancel':
      return {
        set: { cancel_requested_at: operation.cancel_requested_at ?? context.now.at },
        reason: request.reason,
      }
    case 'deny':
      return {
        set: {
          cancel_requested_at: operation.cancel_requested_at ?? context.now.at,
          flags: { ...operation.flags, denied: true },
        },
        reason: request.reason,
      }
    case 'abandon':
      return { set: byHand(context), reason: request.reason }
  }
}

function sent(operation: Operation, request: RequestOf<'send'>, context: Context): Addition {
  const { now, task, approval } = context
  const fence = operation.lease_fence + 1
  const safe = isSafeToRepeat({ operation, now, targetTouched: context.target_touched })
  // a repeat that rests on the key must have left before the service may forget it
  const keyUntil = operation.may_have_applied && safe.safe ? (keyKnownUntil(operation) ?? Infinity) : Infinity
  const send_by = Math.min(
    now.at + (request.lease_ms ?? DEFAULT_LEASE_MS),
    operation.deadline_at ?? Infinity,
    task.deadline_at ?? Infinity,
    operation.repeat?.kind === 'idempotency_key' ? keyUntil : Infinity,
  )
  const bound = operation.contract.arrival_bound_ms ?? DEFAULT_ARRIVAL_BOUND_MS
  const newApproval =
    approval !== null && operation.approval_id !== approval.approval_id ? approval.approval_id : null
  return {
    attempt: {
      n: operation.attempt + 1,
      fence,
      owner: request.owner,
      sent_at: now.at,
      sent_boot_id: now.boot_id,
      sent_boot_ms: now.boot_ms,
      send_by,
      latest_arrival: bound === 'unbounded' ? null : send_by + bound,
    },
    set: {
      attempt: operation.attempt + 1,
      lease_fence: fence,
      ...NO_LEASE,
      ...(request.lease_ms === null ? {} : leaseUntil(now, request.lease_ms)),
      lease_owner: request.owner,
      key_first_used_at: operation.key_first_used_at ?? now.at,
      next_attempt_at: null,
      retry_reason: null,
      ...(newApproval === null ? {} : { approval_id: newApproval }),
    },
    facts: { epoch: task.epoch, repeat: safe.reason },
  }
}

function leaseUntilRemote({ now }: Context, patienceMs: number): Settable {
  return { lease_owner: 'remote', ...leaseUntil(now, patienceMs) }
}

function allowed({ state: { operation } }: Move, request: RequestOf<'allow_retry'>): Addition {
  const { cancel_requested_at, flags } = operation
  return {
    set: {
      extra_attempts: 1,
      next_attempt_at: null,
      retry_reason: null,
      settled_by: null,
      ...(cancel_requested_at === null ? {} : { cancel_requested_at: null }),
      ...(request.accept_duplicate ? { flags: { ...flags, accepted_duplicate: request.reason } } : {}),
    },
    reason: request.reason,
    facts: { accept_duplicate: request.accept_duplicate },
  }
}

function late(move: Move, request: RequestOf<'late_result'>, to: OperationStatus): Addition {
  const { operation } = move.state
  const known = move.context.known_external_ids
  const isOther = ({ kind, value }: { kind: string; value: string }) =>
    known.some(id => id.kind === kind && id.value !== value) &&
    !known.some(id => id.kind === kind && id.value === value)
  const duplicates =
    operation.status === 'confirmed' && request.end === 'applied' && request.external_ids.some(isOther)
  const becomesConfirmed = to === 'confirmed' && operation.status !== 'confirmed'
  return {
    set: {
      ...flagged(operation, {
        ...(duplicates ? { duplicates: true } : {}),
        ...(becomesConfirmed ? otherTarget(operation, request.external_ids) : {}),
      }),
      ...(becomesConfirmed ? { settled_by: 'receipt' as const, ...resultDigest(request.result_digest) } : {}),
      ...(request.error === null || to === 'confirmed' ? {} : { last_error: request.error }),
    },
    ends: saysMore(move, request)
      ? [
          {
            n: request.attempt,
            end: request.end,
            ...(request.error === null ? {} : { error: request.error }),
          },
        ]
      : [],
    external_ids: request.external_ids,
    ...(becomesConfirmed ? { large: { result: request.result } } : {}),
  }
}

/** A receipt always counts; a lost answer or a refusal says nothing against a receipt or a proof of absence. */
function saysMore({ state: { attempts } }: Move, { attempt, end }: RequestOf<'late_result'>): boolean {
  const known = attempts.find(({ n }) => n === attempt)?.end ?? null
  return end === 'applied' || known === null || known === 'ambiguous'
}

function orphanError(operation: Operation, request: RequestOf<'orphan'>, { now }: Context): LastError {
  const message = {
    lease_lapsed: 'the lease ran out before an outcome was recorded',
    owner_gone: 'the process that sent it is gone and recorded no outcome',
    person: 'a person says that the writer is gone',
  }[request.why]
  return {
    rule: request.why === 'person' ? 'writer_gone' : request.why,
    message,
    at: now.at,
    attempt: operation.attempt,
  }
}

function takenOver({ state: { operation }, context: { actor, now } }: Move): Settable {
  if (operation.status !== 'in_flight') return {}
  const message = `${actor} took the task over while an attempt was in flight`
  return { last_error: { rule: 'taken_over', message, at: now.at, attempt: operation.attempt } }
}

function allInDoubt({ state: { attempts } }: Move) {
  return attempts.filter(isAttemptInDoubt).map(({ n }) => ({ n, end: 'absent' as const }))
}

function doubtAgain({ state: { attempts } }: Move) {
  return attempts.filter(({ end }) => end === 'absent').map(({ n }) => ({ n, end: 'ambiguous' as const }))
}

function byHand({ actor, now }: Context): Settable {
  return { settled_by: 'person', by_hand: { by: actor, at: now.at } }
}

/** What a person says when they settle it replaces what was marked about its target and its evidence before. */
function settledFlags(operation: Operation, more: Flags): Settable {
  const { target_differs, accepted_target, without_evidence, ...kept } = operation.flags
  const flags: Flags = { ...kept, ...more }
  return Object.keys({ ...operation.flags, ...flags }).length === 0 ? {} : { flags }
}

function acceptedTarget(operation: Operation, touched: readonly ExternalId[]): Flags {
  const difference = targetDifference(operation.target, touched)
  return difference === null ? {} : { accepted_target: difference }
}

function otherTarget(operation: Operation, touched: readonly ExternalId[]): Flags {
  const difference = targetDifference(operation.target, touched)
  return difference === null ? {} : { target_differs: difference }
}

function flagged(operation: Operation, more: Flags): Settable {
  return Object.keys(more).length === 0 ? {} : { flags: { ...operation.flags, ...more } }
}

function resultDigest(digest: string | null): Settable {
  return digest === null ? {} : { result_digest: digest }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
