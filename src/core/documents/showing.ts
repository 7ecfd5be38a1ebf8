import { approvalDigest, type JudgedApproval } from '../approval-digest.js'
import { type Attempt, isAttemptInDoubt, latestArrival } from '../attempt.js'
import { causeOf } from '../cause.js'
import { decisionCode } from '../decision-code.js'
import type { Evidence } from '../evidence.js'
import { isInDoubt } from '../in-doubt.js'
import { isoTime } from '../iso-time.js'
import type { JsonObject } from '../json.js'
import { leftToPerson } from '../last-look.js'
import { newKeyAllowed } from '../new-key.js'
import { nextAction } from '../next-action.js'
import type { Operation, OperationStatus } from '../operation.js'
import { overlapOf } from '../overlap.js'
import { riskOf } from '../risk.js'
import { overlapWords } from '../stall/rules/overlapping-attempts.js'
import { stillSending } from '../still-sending.js'
import type { Task } from '../task.js'
import { pauseItem } from '../task-pauses.js'
import type { Context } from '../transitions/requests.js'
import { verificationOf } from '../verification.js'
import { actionsOf } from './actions.js'
import { approvalItem } from './approval-item.js'
import { type EventView, eventItem } from './log.js'
import { lookHere } from './look-here.js'
import { type NoteView, noteItem } from './note-item.js'
import { currentError, errorItem, externalIdItem, isoOrNull, nextActionItem, stallItem } from './parts.js'
import { redactionItem } from './redaction-item.js'
import type { AttemptItem, EvidenceItem, ShowDocument, ShownIntent, ShownState } from './show.js'
import { type OperationView, type Sight, stallsIn } from './sight.js'

/** All that `show` tells of one operation. */
export interface ShownRecord extends OperationView {
  readonly operation: Operation
  readonly task: Task
  readonly evidence: readonly Evidence[]
  readonly approvals: readonly JudgedApproval[]
  /** every operation that undoes it, or is to, oldest first */
  readonly compensations: readonly { readonly operation_id: string; readonly status: OperationStatus }[]
  readonly notes: readonly NoteView[]
  readonly history: readonly EventView[]
  /** what the guards of a person's decision look at */
  readonly context: Context
}

export function showDocument(record: ShownRecord, sight: Sight): ShowDocument {
  const { operation, attempts, task, claim, target_touched, approved_at = null } = record
  const { is_of_earlier: isOfEarlier = false } = record
  const { look } = sight
  const now = look.now.at
  const in_doubt = isInDoubt(operation, look)
  const overlap = overlapOf(attempts, look)
  const newKey = newKeyAllowed(operation, attempts)
  const { compensations } = record
  const approvals = record.approvals.map(({ approval }) => approval)
  return {
    operation_id: operation.operation_id,
    task: {
      task_id: task.task_id,
      goal: task.goal,
      status: task.status,
      pause: pauseItem(task),
      taken_over_by: task.taken_over_by,
    },
    status: operation.status,
    in_doubt,
    may_have_applied: operation.may_have_applied || (operation.status === 'in_flight' && in_doubt),
    stalled_by: stallsIn(record, sight).map(stallItem),
    risk: riskOf(operation),
    cause: causeOf(operation),
    age_ms: now - operation.created_at,
    version: operation.version,
    next_action: nextActionItem(
      nextAction({
        operation,
        look,
        task,
        targetTouched: target_touched,
        isApproved: approved_at !== null,
        isOfEarlier,
        leftToPerson: leftToPerson(record.evidence, operation),
      }),
    ),
    code: decisionCode(operation.operation_id, operation.version),
    new_key_allowed: newKey.allowed,
    new_key_reason: newKey.reason,
    intent: intentOf(operation),
    state: stateOf(operation, look),
    attempts: attempts.map(attemptItem),
    overlap: overlap === null ? null : overlapWords(overlap, now),
    still_sending: stillSending(attempts, { now, isOwnerGone: look.isOwnerGone }).map(
      ({ attempt, send_by }) => ({ attempt, send_by: isoTime(send_by) }),
    ),
    may_arrive_until: attempts.some(isAttemptInDoubt) ? isoOrNull(latestArrival(attempts)) : null,
    evidence: record.evidence.map(evidenceItem),
    verification: verificationOf(record),
    external_ids: record.external_ids.map(externalIdItem),
    approval_digest: operation.contract.approval === 'required' ? approvalDigest(operation) : null,
    approvals: record.approvals.map(approval => approvalItem(approval, now)),
    compensations,
    undone_by: compensations.findLast(({ status }) => status === 'confirmed')?.operation_id ?? null,
    notes: record.notes.map(noteItem),
    redactions: record.history.flatMap(redactionItem),
    history: record.history.map(eventItem),
    look_here: lookHere(operation, record.external_ids),
    actions: actionsOf({ state: { operation, attempts }, context: record.context, approvals, compensations }),
    claimed_by: claim === null ? null : { by: claim.actor, until: isoTime(claim.until) },
  }
}

function intentOf(operation: Operation): ShownIntent {
  return {
    phase: operation.phase,
    step: operation.step,
    tool: operation.tool,
    effect: operation.effect,
    target: operation.target,
    amount: operation.amount,
    input: operation.input,
    input_digest: operation.input_digest,
    idempotency_key: operation.idempotency_key,
    key_scope: operation.key_scope,
    repeat: operation.repeat,
    contract: operation.contract,
    max_attempts: operation.max_attempts,
    deadline_at: isoOrNull(operation.deadline_at),
    timeout_ms: operation.timeout_ms,
    compensates: operation.compensates,
    supersedes: operation.supersedes,
    same_as: operation.same_as,
    provenance: operation.provenance,
    links: operation.links,
    checkpoint: checkpointOf(operation),
  }
}

function checkpointOf({ checkpoint }: Operation): JsonObject | null {
  return checkpoint === null ? null : Object.fromEntries(Object.entries(checkpoint))
}

function stateOf(operation: Operation, { isOwnerGone }: Sight['look']): ShownState {
  const { by_hand, lease_owner, lease_expires_at } = operation
  return {
    created_at: isoTime(operation.created_at),
    updated_at: isoTime(operation.updated_at),
    settled_at: isoOrNull(operation.settled_at),
    settled_by: operation.settled_by,
    by_hand: by_hand === null ? null : { by: by_hand.by, at: isoTime(by_hand.at) },
    result: operation.result,
    last_error: currentError(operation),
    flags: operation.flags,
    lease:
      lease_owner === null
        ? null
        : {
            owner: lease_owner,
            expires_at: isoOrNull(lease_expires_at),
            owner_gone: isOwnerGone(lease_owner),
          },
    heartbeat_at: isoOrNull(operation.heartbeat_at),
    activity_at: isoOrNull(operation.activity_at),
    progress_at: isoOrNull(operation.progress_at),
    progress: operation.progress,
    next_attempt_at: isoOrNull(operation.next_attempt_at),
    retry_reason: operation.retry_reason,
    cancel_requested_at: isoOrNull(operation.cancel_requested_at),
    defer_until: isoOrNull(operation.defer_until),
    next_look_at: isoOrNull(operation.next_look_at),
  }
}

export function attemptItem(attempt: Attempt): AttemptItem {
  return {
    n: attempt.n,
    owner: attempt.owner,
    sent_at: isoTime(attempt.sent_at),
    send_by: isoTime(attempt.send_by),
    ended_at: isoOrNull(attempt.ended_at),
    end: attempt.end,
    error: attempt.error === null ? null : errorItem(attempt.error),
    heartbeat_at: isoOrNull(attempt.heartbeat_at),
    activity_at: isoOrNull(attempt.activity_at),
    progress_at: isoOrNull(attempt.progress_at),
    progress: attempt.progress,
  }
}

export function evidenceItem({ n, kind, origin, attempt, at, actor, body, hash }: Evidence): EvidenceItem {
  return { n, kind, origin, attempt, at: isoTime(at), actor, body, hash }
}
