import { actorWords } from '../actor.js'
import { type AttemptEnd, firstSent } from '../attempt.js'
import { DEFAULT_LEASE_MS, leaseUntil, NO_LEASE } from '../lease.js'
import type { ExternalId, Flags, LastError, Operation, OperationStatus } from '../operation.js'
import { DEFAULT_ARRIVAL_BOUND_MS, isSafeToRepeat } from '../repeat.js'
import { targetDifference } from '../target.js'
import type { Settable } from './events.js'
import type { Move } from './guards/guard.js'
import type { Addition } from './record.js'
import type { Context, RequestOf, State } from './requests.js'

export function sent({ operation, attempts }: State, request: RequestOf<'send'>, context: Context): Addition {
  const { now, task, approval } = context
  const fence = operation.lease_fence + 1
  const safe = isSafeToRepeat({
    operation,
    now,
    targetTouched: context.target_touched,
    firstSent: firstSent(attempts),
  })
  const send_by = Math.min(
    now.at + (request.lease_ms ?? DEFAULT_LEASE_MS),
    operation.deadline_at ?? Infinity,
    task.deadline_at ?? Infinity,
    // a repeat that rests on the key must arrive while the service knows it: at `until` it may be forgotten
    safe.until === null ? Infinity : safe.until - 1,
  )
  const bound = operation.contract.arrival_bound_ms ?? DEFAULT_ARRIVAL_BOUND_MS
  const lease = request.lease_ms === null ? NO_LEASE : leaseUntil(now, request.lease_ms)
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
      lease_owner: request.owner,
      lease_expires_at: lease.lease_expires_at,
      lease_boot_id: lease.lease_boot_id,
      lease_boot_ms: lease.lease_boot_ms,
      key_first_used_at: operation.key_first_used_at ?? now.at,
      next_attempt_at: null,
      retry_reason: null,
      ...withoutBudgetSpent(operation),
      ...(newApproval === null ? {} : { approval_id: newApproval }),
    },
    // why it may be sent again says something only where an earlier sending may have applied
    facts: { epoch: task.epoch, ...(operation.may_have_applied ? { repeat: safe.reason } : {}) },
  }
}

function withoutBudgetSpent({ flags: { budget_spent, ...flags } }: Operation): Settable {
  return budget_spent === undefined ? {} : { flags }
}

export function late(move: Move, request: RequestOf<'late_result'>, to: OperationStatus): Addition {
  const { operation, attempts } = move.state
  const known = attempts.find(attempt => attempt.n === request.attempt)?.end ?? null
  const duplicates =
    operation.status === 'confirmed' &&
    request.end === 'applied' &&
    isAnotherObject(move.context.known_external_ids, request.external_ids, {
      isSecondReceipt:
        known !== 'applied' && attempts.some(({ n, end }) => n !== request.attempt && end === 'applied'),
    })
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
    ends: saysMore(request.end, known)
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

/**
 * Does a receipt name an object that nobody knew of, beside one of its kind on file? The receipt of a second attempt
 * says so too by what it leaves out: the ids that its handler named while it ran are on file already.
 */
function isAnotherObject(
  known: readonly ExternalId[],
  named: readonly ExternalId[],
  { isSecondReceipt }: { readonly isSecondReceipt: boolean },
): boolean {
  const isIn = (ids: readonly ExternalId[], { kind, value }: ExternalId) =>
    ids.some(id => id.kind === kind && id.value === value)
  return named.some(({ kind, value }) =>
    known.some(
      id =>
        id.kind === kind &&
        id.value !== value &&
        (isSecondReceipt ? !isIn(named, id) : !isIn(known, { kind, value })),
    ),
  )
}

/** A late end replaces what is known only where it says more: a receipt is never taken back, a doubt adds nothing. */
export function saysMore(end: AttemptEnd, known: AttemptEnd | null): boolean {
  switch (known) {
    case null:
    case 'ambiguous':
      return true
    case 'absent':
    case 'not_applied':
      return end !== 'ambiguous'
    case 'applied':
      return false
  }
}

export function orphanError(operation: Operation, request: RequestOf<'orphan'>, { now }: Context): LastError {
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

export function takenOver({ state: { operation }, context: { actor, now } }: Move): Settable {
  if (operation.status !== 'in_flight') return {}
  const message = `${actorWords(actor)} took the task over while an attempt was in flight`
  return { last_error: { rule: 'taken_over', message, at: now.at, attempt: operation.attempt } }
}

export function otherTarget(operation: Operation, touched: readonly ExternalId[]): Flags {
  const difference = targetDifference(operation.target, touched)
  return difference === null ? {} : { target_differs: difference }
}

export function flagged(operation: Operation, more: Flags): Settable {
  return Object.keys(more).length === 0 ? {} : { flags: { ...operation.flags, ...more } }
}

/** Of the result that this confirmation brings, or none: the digest of an earlier one would stand for nothing. */
export function resultDigest(digest: string | null): Settable {
  return { result_digest: digest }
}
