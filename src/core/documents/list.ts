import { causeOf } from '../cause.js'
import { isInDoubt } from '../in-doubt.js'
import { nextAction } from '../next-action.js'
import type { Effect, ExternalId, OperationStatus } from '../operation.js'
import { type RiskClass, riskOf } from '../risk.js'
import type { Stall } from '../stall/rule.js'
import type { Task, TaskStatus } from '../task.js'
import type { Verification } from '../verification.js'
import {
  currentError,
  type ErrorItem,
  externalIdItem,
  type NextActionItem,
  nextActionItem,
  type StallItem,
  stallItem,
} from './parts.js'
import { type OperationView, type Sight, stallsIn } from './sight.js'

/** The body of `list@1`. */
export interface ListDocument {
  readonly operations: readonly ListedOperation[]
  /** only with `--group-by` */
  readonly groups?: readonly CauseGroup[]
  /** tasks that stand still or go round, whatever their operations do; where stalled ones are asked for */
  readonly stalled_tasks?: readonly ListedTask[]
  /** rows that a limit left out */
  readonly left_out: number
  /** counting stopped there: at least so many */
  readonly left_out_is_least?: true
}

export interface ListedOperation {
  readonly operation_id: string
  readonly task_id: string
  readonly phase: string | null
  readonly step: string | null
  readonly tool: string
  readonly effect: Effect | null
  readonly target: string | null
  readonly status: OperationStatus
  readonly in_doubt: boolean
  /** as in the row, where the live attempt does not count; it counts here once nobody alive holds it */
  readonly may_have_applied: boolean
  readonly stalled_by: readonly StallItem[]
  /** how many were announced */
  readonly attempts: number
  readonly external_ids: readonly ExternalId[]
  readonly last_error: ErrorItem | null
  readonly cause: string | null
  /** since it was written down */
  readonly age_ms: number
  readonly risk: RiskClass
  readonly by_hand: { readonly by: string } | null
  /** what stands behind that; null where no person settled it */
  readonly verification: Verification | null
  /** it took effect, and this operation undid it */
  readonly undone_by: string | null
  readonly claimed_by: string | null
  readonly next_action: NextActionItem
  readonly version: number
}

export interface ListedTask {
  readonly task_id: string
  readonly status: TaskStatus
  readonly goal: string | null
  readonly stalled_by: readonly StallItem[]
}

export function listedTask({ task_id, status, goal }: Task, stalls: readonly Stall[]): ListedTask {
  return { task_id, status, goal, stalled_by: stalls.map(stallItem) }
}

export interface CauseGroup {
  readonly cause: string | null
  readonly count: number
  /** age of the oldest among them */
  readonly oldest_age_ms: number
  readonly operations: readonly string[]
}

/** Every field of a row, for `--fields`. */
export const LIST_FIELDS = [
  'operation_id',
  'task_id',
  'phase',
  'step',
  'tool',
  'effect',
  'target',
  'status',
  'in_doubt',
  'may_have_applied',
  'stalled_by',
  'attempts',
  'external_ids',
  'last_error',
  'cause',
  'age_ms',
  'risk',
  'by_hand',
  'verification',
  'undone_by',
  'claimed_by',
  'next_action',
  'version',
] as const satisfies readonly (keyof ListedOperation)[]

/** One row of a list, derived from the operation and what stands beside it. */
export function listedOperation(view: OperationView, sight: Sight): ListedOperation {
  const { operation, external_ids, task, claim, target_touched, approved_at = null, undone_by = null } = view
  const { is_of_earlier: isOfEarlier = false, left_to_person: leftToPerson = null } = view
  const { look } = sight
  const in_doubt = isInDoubt(operation, look)
  const isApproved = approved_at !== null
  const seen = { targetTouched: target_touched, isApproved, isOfEarlier, leftToPerson }
  return {
    operation_id: operation.operation_id,
    task_id: operation.task_id,
    phase: operation.phase,
    step: operation.step,
    tool: operation.tool,
    effect: operation.effect,
    target: operation.target,
    status: operation.status,
    in_doubt,
    may_have_applied: operation.may_have_applied || (operation.status === 'in_flight' && in_doubt),
    stalled_by: stallsIn(view, sight).map(stallItem),
    attempts: operation.attempt,
    external_ids: external_ids.map(externalIdItem),
    last_error: currentError(operation),
    cause: causeOf(operation),
    age_ms: look.now.at - operation.created_at,
    risk: riskOf(operation),
    by_hand: operation.by_hand === null ? null : { by: operation.by_hand.by },
    verification: view.verification ?? null,
    undone_by,
    claimed_by: claim?.actor ?? null,
    next_action: nextActionItem(nextAction({ operation, look, task, ...seen })),
    version: operation.version,
  }
}

/** Rows by what they failed of, the largest group first; those without an error are a group of their own, last. */
export function groupByCause(rows: readonly ListedOperation[]): readonly CauseGroup[] {
  const groups = new Map<string | null, ListedOperation[]>()
  for (const row of rows) {
    const members = groups.get(row.cause)
    if (members === undefined) groups.set(row.cause, [row])
    else members.push(row)
  }
  return [...groups]
    .map(([cause, members]) => ({
      cause,
      count: members.length,
      oldest_age_ms: Math.max(...members.map(({ age_ms }) => age_ms)),
      operations: members.map(({ operation_id }) => operation_id),
    }))
    .sort(
      (a, b) =>
        Number(a.cause === null) - Number(b.cause === null) ||
        b.count - a.count ||
        b.oldest_age_ms - a.oldest_age_ms,
    )
}
