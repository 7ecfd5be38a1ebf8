import type { Attempt } from '../attempt.js'
import type { Look } from '../in-doubt.js'
import type { ExternalId, OperationOutline } from '../operation.js'
import type { StallConfig } from '../stall/limits.js'
import type { OperationSubject, Stall } from '../stall/rule.js'
import { stallsOf } from '../stall/stalls.js'
import type { Task } from '../task.js'
import type { Verification } from '../verification.js'

/** Who looks, when, and by which limits. The same for every operation of a document. */
export interface Sight {
  readonly look: Look
  readonly stall: StallConfig
  /** time of the last event by anyone; null for a ledger without events */
  readonly lastEventAt: number | null
}

/** An operation with what stands beside its row. */
export interface OperationView {
  readonly operation: OperationOutline
  /** oldest first; may be left out where nothing is derived from them (rule.ts) */
  readonly attempts: readonly Attempt[]
  readonly external_ids: readonly ExternalId[]
  readonly task: Task | null
  readonly twin: OperationOutline | null
  /** who says that they look at it, while that holds */
  readonly claim: { readonly actor: string; readonly until: number } | null
  readonly target_touched: boolean | null
  /** when the approval was given that permits its next send; null or left out where none is on file, or nobody looked */
  readonly approved_at?: number | null
  /** prepared, and written down before the ledger was copied or restored; left out where nobody looked */
  readonly is_of_earlier?: boolean
  /** what the latest look left to a person; null or left out where it left nothing, or nobody read it */
  readonly left_to_person?: string | null
  /** the operation that undid it; null or left out where none did, or nobody looked */
  readonly undone_by?: string | null
  /** what stands behind a settlement by hand; null or left out where none is, or nobody looked */
  readonly verification?: Verification | null
}

/** By which rules the operation is stalled, seen from here. */
export function stallsIn(view: OperationView, sight: Sight): readonly Stall[] {
  return stallsOf(subjectOf(view, sight))
}

function subjectOf(view: OperationView, { look, stall, lastEventAt }: Sight): OperationSubject {
  const { operation, attempts, task, twin, approved_at = null } = view
  return { operation, attempts, task, twin, approved_at, look, config: stall, lastEventAt }
}
