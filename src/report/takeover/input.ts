import type { JudgedApproval } from '../../core/approval-digest.js'
import type { NoteView } from '../../core/documents/note-item.js'
import type { ReportedCheckpoint } from '../../core/documents/report.js'
import type { OperationView, Sight } from '../../core/documents/sight.js'
import type { OperationOutline } from '../../core/operation.js'
import type { JudgedPhase } from '../../core/phase.js'
import type { Recent } from '../../core/stall/recent.js'
import type { Task } from '../../core/task.js'

/** All that a takeover report is made of. Gathering it is the ledger's work; from here on everything is pure. */
export interface TakeoverInput {
  readonly sight: Sight
  readonly task: Task
  /** what it did lately; null where no rule could speak by it */
  readonly recent: Recent | null
  /** every operation of the task, in the order in which they were written down */
  readonly views: readonly OperationView[]
  readonly approvals: readonly JudgedApproval[]
  readonly notes: readonly NoteView[]
  /** written down as phases, each held against what is in the workspace now */
  readonly phases: readonly JudgedPhase[]
  /** who says that they look at the task */
  readonly claimed_by: string | null
  /** all tasks below this one, whatever their depth */
  readonly children: readonly ChildView[]
  readonly checkpoint: ReportedCheckpoint | null
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

export interface ChildView {
  readonly task: Task
  /** those not settled, riskiest first */
  readonly open: readonly OperationOutline[]
  readonly open_left_out: number
}

/** What a report files an operation under. */
export type Outcome = 'confirmed' | 'unknown' | 'in_flight' | 'not_sent' | 'not_executed' | 'abandoned'
