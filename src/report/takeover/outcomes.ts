import { awaitsApproval } from '../../core/approval.js'
import { latestArrival } from '../../core/attempt.js'
import { causeOf } from '../../core/cause.js'
import { lookHere } from '../../core/documents/look-here.js'
import { errorItem, externalIdItem, isoOrNull, nextActionItem } from '../../core/documents/parts.js'
import type {
  ConfirmedItem,
  InFlightItem,
  NotExecutedItem,
  NotSentItem,
  Reported,
  UnknownItem,
} from '../../core/documents/report.js'
import type { OperationView, Sight } from '../../core/documents/sight.js'
import { isInDoubt, type Look } from '../../core/in-doubt.js'
import { isoTime } from '../../core/iso-time.js'
import { nextAction } from '../../core/next-action.js'
import type { OperationOutline } from '../../core/operation.js'
import { byRisk, riskOf } from '../../core/risk.js'
import type { Verification } from '../../core/verification.js'
import type { Outcome } from './input.js'

/** Where in a report an operation stands: each in exactly one place, never summed up with its neighbours. */
export function outcomeOf(operation: OperationOutline, look: Look): Outcome {
  if (isInDoubt(operation, look)) return 'unknown'
  switch (operation.status) {
    case 'confirmed':
      return 'confirmed'
    case 'in_flight':
      return 'in_flight'
    case 'prepared':
      return 'not_sent'
    case 'not_executed':
    case 'cancelled':
      return 'not_executed'
    case 'abandoned':
      return 'abandoned'
    case 'unknown':
      return 'unknown'
  }
}

interface Outcomes {
  readonly confirmed: readonly ConfirmedItem[]
  readonly unknown: readonly UnknownItem[]
  readonly in_flight: readonly InFlightItem[]
  readonly not_sent: readonly NotSentItem[]
  readonly not_executed: readonly NotExecutedItem[]
  readonly abandoned: readonly NotExecutedItem[]
}

export function outcomesOf(views: readonly OperationView[], sight: Sight): Outcomes {
  const under = (outcome: Outcome) =>
    views.filter(({ operation }) => outcomeOf(operation, sight.look) === outcome)
  const undoneBy = new Map(views.flatMap(({ operation }) => undoing(operation)))
  return {
    confirmed: under('confirmed').map(view => confirmedItem(view, undoneBy)),
    unknown: [...under('unknown')]
      .sort((a, b) => byRisk(a.operation, b.operation))
      .map(view => unknownItem(view, sight)),
    in_flight: under('in_flight').map(view => inFlightItem(view, sight)),
    not_sent: under('not_sent').map(view => notSentItem(view, sight)),
    not_executed: under('not_executed').map(notExecutedItem),
    abandoned: under('abandoned').map(notExecutedItem),
  }
}

/** What every list of a report says of an operation. */
export function reported(operation: OperationOutline): Reported {
  const { operation_id, tool, target, phase, step, effect, status } = operation
  return { operation_id, tool, target, phase, step, effect, status }
}

function undoing({ compensates, status, operation_id }: OperationOutline): [string, string][] {
  return compensates !== null && status === 'confirmed' ? [[compensates, operation_id]] : []
}

function confirmedItem(
  { operation, external_ids, verification = null }: OperationView,
  undoneBy: ReadonlyMap<string, string>,
): ConfirmedItem {
  return {
    ...reported(operation),
    ...settlement(operation, verification),
    external_ids: external_ids.map(externalIdItem),
    undone_by: undoneBy.get(operation.operation_id) ?? null,
    cancel_requested_at: isoOrNull(operation.cancel_requested_at),
  }
}

function unknownItem(view: OperationView, sight: Sight): UnknownItem {
  const { operation, attempts, external_ids, claim } = view
  return {
    ...reported(operation),
    risk: riskOf(operation),
    sent_at: isoOrNull(attempts.at(-1)?.sent_at ?? null),
    attempts: operation.attempt,
    last_error: operation.last_error === null ? null : errorItem(operation.last_error),
    cause: causeOf(operation),
    external_ids: external_ids.map(externalIdItem),
    may_arrive_until: isoOrNull(latestArrival(attempts)),
    look_here: lookHere(operation, external_ids),
    next_action: actionOf(view, sight),
    cancel_requested_at: isoOrNull(operation.cancel_requested_at),
    claimed_by: claim?.actor ?? null,
    version: operation.version,
  }
}

function inFlightItem(view: OperationView, sight: Sight): InFlightItem {
  const { operation, attempts } = view
  return {
    ...reported(operation),
    sent_at: isoOrNull(attempts.at(-1)?.sent_at ?? null),
    lease_expires_at: isoOrNull(operation.lease_expires_at),
    next_action: actionOf(view, sight),
  }
}

function notSentItem(view: OperationView, sight: Sight): NotSentItem {
  const { operation } = view
  return {
    ...reported(operation),
    waits_for: waitsFor(view, sight),
    next_attempt_at: isoOrNull(operation.next_attempt_at),
    last_error: operation.last_error === null ? null : errorItem(operation.last_error),
    next_action: actionOf(view, sight),
  }
}

function waitsFor(
  { operation, task, approved_at = null, is_of_earlier = false }: OperationView,
  { look }: Sight,
): NotSentItem['waits_for'] {
  if (task !== null && task.taken_over_by !== null) return 'person'
  if (operation.next_attempt_at !== null && operation.next_attempt_at > look.now.at) return 'retry'
  if (is_of_earlier) return 'person'
  if (awaitsApproval(operation, approved_at !== null)) return 'approval'
  return task?.status === 'waiting_input' ? 'person' : 'run'
}

function notExecutedItem({ operation, verification = null }: OperationView): NotExecutedItem {
  return {
    ...reported(operation),
    ...settlement(operation, verification),
    last_error: operation.last_error === null ? null : errorItem(operation.last_error),
  }
}

function settlement(
  { settled_at, updated_at, settled_by, by_hand }: OperationOutline,
  verification: Verification | null,
) {
  // What a person settled after it was settled otherwise is as old as their word.
  const at = settled_by === 'person' && by_hand !== null ? by_hand.at : (settled_at ?? updated_at)
  return {
    at: isoTime(at),
    settled_by,
    by_hand: by_hand === null ? null : { by: by_hand.by, at: isoTime(by_hand.at) },
    verification,
  }
}

function actionOf(view: OperationView, { look }: Sight) {
  const { operation, task, target_touched, approved_at = null } = view
  const { is_of_earlier: isOfEarlier = false, left_to_person: leftToPerson = null } = view
  const seen = { targetTouched: target_touched, isApproved: approved_at !== null, isOfEarlier, leftToPerson }
  return nextActionItem(nextAction({ operation, look, task, ...seen }))
}
