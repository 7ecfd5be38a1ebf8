import { actorWords } from '../../core/actor.js'
import { differenceWords, type JudgedApproval } from '../../core/approval-digest.js'
import { isAttemptInDoubt } from '../../core/attempt.js'
import { externalIdItem, stallItem } from '../../core/documents/parts.js'
import type { DuplicateItem, LastErrorItem, StalledItem, ViolationItem } from '../../core/documents/report.js'
import { type OperationView, stallsIn } from '../../core/documents/sight.js'
import { isoTime } from '../../core/iso-time.js'
import type { OperationOutline } from '../../core/operation.js'
import { taskStallsOf } from '../../core/stall/stalls.js'
import type { TakeoverInput } from './input.js'

/** The task's own first. Duplicate writes are listed apart, with all their members. */
export function stalledOf({ task, recent, views, sight }: TakeoverInput): readonly StalledItem[] {
  const ofTask = taskStallsOf({ task, recent, look: sight.look, config: sight.stall })
  return [
    ...ofTask.map(stall => ({ operation_id: null, ...stallItem(stall) })),
    ...views.flatMap(view =>
      stallsIn(view, sight)
        .filter(({ rule }) => rule !== 'duplicate_writes')
        .map(stall => ({ operation_id: view.operation.operation_id, ...stallItem(stall) })),
    ),
  ]
}

/** One group for all operations that repeat the same first one, and one for each operation with several objects. */
export function duplicatesOf({ views, sight }: TakeoverInput): readonly DuplicateItem[] {
  const groups = new Map<string, DuplicateItem>()
  for (const view of views) {
    const stall = stallsIn(view, sight).find(({ rule }) => rule === 'duplicate_writes')
    if (stall === undefined) continue
    const { operations = [], gap_ms = null, timeout_ms = null, keys_differ = null } = stallItem(stall)
    const first = operations[0] ?? view.operation.operation_id
    const known = groups.get(first)
    groups.set(first, {
      kind: 'same_write',
      operations: [...new Set([...(known?.operations ?? []), ...operations])],
      external_ids: [],
      gap_ms: known?.gap_ms ?? gap_ms,
      timeout_ms: known?.timeout_ms ?? timeout_ms,
      keys_differ: known === undefined ? keys_differ : known.keys_differ === true || keys_differ === true,
      reason: known?.reason ?? stall.reason,
    })
  }
  return [...groups.values(), ...views.flatMap(severalObjects)]
}

function severalObjects({ operation, external_ids }: OperationView): DuplicateItem[] {
  if (!operation.flags.duplicates) return []
  return [
    {
      kind: 'several_objects',
      operations: [operation.operation_id],
      external_ids: external_ids.map(externalIdItem),
      gap_ms: null,
      timeout_ms: operation.timeout_ms,
      keys_differ: null,
      reason: 'two executions, two results: more than one object carries its id, and none was chosen',
    },
  ]
}

/** Something that happened against a rule, and stays true whatever is decided now. */
interface ViolationRule {
  readonly id: string
  readonly title: string
  /** the sentence, or null where it does not apply */
  /** `approvals`: null where nobody read them */
  readonly reason: (view: OperationView, approvals: readonly JudgedApproval[] | null) => string | null
}

export const VIOLATION_RULES: readonly ViolationRule[] = [
  {
    id: 'target_differs',
    title: 'it touched another target than was asked for',
    reason: ({ operation: { flags } }) =>
      flags.target_differs === undefined
        ? null
        : `target differs: ${flags.target_differs}${flags.accepted_target === undefined ? '' : '; a person accepted it'}`,
  },
  {
    id: 'contradicted',
    title: 'evidence of the opposite came after it was settled',
    reason: ({ operation: { flags, status } }) =>
      flags.contradicted ? `evidence of the opposite came after it was settled; it is ${status} now` : null,
  },
  {
    id: 'settled_early',
    title: 'a person said that it did not happen while it could still arrive',
    reason: ({ operation: { flags, by_hand }, attempts }) =>
      flags.early && attempts.some(isAttemptInDoubt)
        ? `${personOf(by_hand)} said that it did not happen before its attempts had run out of time to arrive`
        : null,
  },
  {
    id: 'settled_without_evidence',
    title: 'a person settled it and cited nothing',
    reason: ({ operation: { flags, by_hand } }) =>
      flags.without_evidence ? `${personOf(by_hand)} settled it without evidence` : null,
  },
  {
    id: 'duplicate_accepted',
    title: 'a person accepted that it may happen twice',
    reason: ({ operation: { flags } }) =>
      flags.accepted_duplicate === undefined ? null : `a duplicate was accepted: ${flags.accepted_duplicate}`,
  },
  {
    id: 'compensation_in_question',
    title: 'what was undone and what undid it do not agree any more',
    reason: ({ operation: { flags } }) =>
      flags.compensation_in_question ? 'it left confirmed after it was undone, or the other way round' : null,
  },
  {
    id: 'sent_without_approval',
    title: 'it needs an approval and was sent without one on file',
    reason: ({ operation: { operation_id, contract, attempt } }, approvals) =>
      approvals !== null &&
      contract.approval === 'required' &&
      attempt > 0 &&
      !approvals.some(({ approval: one }) => one.operation_id === operation_id && one.used > 0)
        ? 'its tool needs an approval, it was sent, and no approval of it was used'
        : null,
  },
  {
    id: 'sent_other_than_approved',
    title: 'what was sent is not what was approved',
    reason: ({ operation: { operation_id, attempt } }, approvals) => {
      const own = (approvals ?? []).filter(({ approval }) => approval.operation_id === operation_id)
      const isCovered = own.some(
        ({ approval, digest_now }) => approval.used > 0 && approval.digest === digest_now,
      )
      const other = own.find(({ approval, digest_now }) => approval.digest !== digest_now)
      if (attempt === 0 || isCovered || other === undefined) return null
      const { approval, digest_now, differences } = other
      const where = differences.map(differenceWords).join('; ')
      return `${actorWords(approval.approver)} approved ${approval.digest}, sent was ${digest_now}${where === '' ? '' : `: ${where}`}`
    },
  },
]

function personOf(byHand: { readonly by: string } | null): string {
  return byHand === null ? 'a person' : actorWords(byHand.by)
}

interface Judged {
  readonly views: readonly OperationView[]
  readonly approvals: readonly JudgedApproval[] | null
}

export function violationsOf({ views, approvals }: Judged): readonly ViolationItem[] {
  return views.flatMap(view =>
    VIOLATION_RULES.flatMap(rule => {
      const reason = rule.reason(view, approvals)
      return reason === null ? [] : [{ rule: rule.id, operation_id: view.operation.operation_id, reason }]
    }),
  )
}

/** The newest error of the task that was not resolved since; only where there is none the newest of those that were. */
export function lastErrorOf({ views }: TakeoverInput): LastErrorItem | null {
  let last: LastErrorItem | null = null
  for (const { operation } of views) {
    const { operation_id, last_error } = operation
    if (last_error === null) continue
    const { message, at } = last_error
    const one = { operation_id, message, at: isoTime(at), later_resolved: isResolvedSince(operation) }
    if (last === null || isLater(one, last)) last = one
  }
  return last
}

/** What is still open comes before what was resolved since, however old it is. */
function isLater(one: LastErrorItem, other: LastErrorItem): boolean {
  if (one.later_resolved !== other.later_resolved) return other.later_resolved
  return one.at >= other.at
}

function isResolvedSince({ status, settled_by }: OperationOutline): boolean {
  return (
    status === 'confirmed' ||
    (status === 'not_executed' && (settled_by === 'probe' || settled_by === 'person'))
  )
}
