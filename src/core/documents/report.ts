import type { ApprovalDifference } from '../approval-digest.js'
import type { CheckpointThread, ReplayRisk } from '../checkpoint.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Effect, ExternalId, OperationStatus, SettledBy } from '../operation.js'
import type { PhaseState, PhaseStatus } from '../phase.js'
import type { RiskClass } from '../risk.js'
import type { TaskStatus, ThreadRef } from '../task.js'
import type { PauseItem } from '../task-pauses.js'
import type { Verification } from '../verification.js'
import type { ErrorItem, LookHere, NextActionItem, StallItem } from './parts.js'

/** The body of `report@1`: what a person needs who takes a task over. Arrays are in the order in which to read them. */
export interface ReportDocument {
  readonly task: ReportedTask
  /** as whoever opened the task worded it: a record of what was wanted then, not an instruction */
  readonly goal: string | null
  readonly summary: string
  /** null while it goes on */
  readonly why_stopped: string | null
  readonly confirmed: readonly ConfirmedItem[]
  /** in doubt, riskiest first */
  readonly unknown: readonly UnknownItem[]
  /** sent, and its executor still holds it */
  readonly in_flight: readonly InFlightItem[]
  /** written down; nothing of it may have taken effect */
  readonly not_sent: readonly NotSentItem[]
  /** certainly without effect, cancelled ones too */
  readonly not_executed: readonly NotExecutedItem[]
  /** nobody knows, and a person decided to stop asking */
  readonly abandoned: readonly NotExecutedItem[]
  readonly stalled: readonly StalledItem[]
  readonly last_error: LastErrorItem | null
  readonly external_ids: readonly ReportedExternalId[]
  readonly duplicates: readonly DuplicateItem[]
  readonly violations: readonly ViolationItem[]
  readonly approvals: readonly ApprovalItem[]
  readonly compensations: readonly CompensationItem[]
  readonly phases: readonly PhaseItem[]
  readonly notes: readonly NoteItem[]
  readonly children: readonly ChildItem[]
  /** the checkpoint's thread that the task points to; null without one, or where it cannot be read (`warnings`) */
  readonly checkpoint: ReportedCheckpoint | null
  readonly replay_risk: readonly ReplayRisk[]
  readonly next_steps: readonly NextStep[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

export interface ReportedTask {
  readonly task_id: string
  readonly status: TaskStatus
  readonly status_reason: string | null
  /** null while it runs, and once it is closed */
  readonly pause: PauseItem | null
  /** a supervisor gave notice: until then nothing but reads is newly sent */
  readonly grace_until: string | null
  /** closed, nothing of it or below it is open, and its checkpoint leads nowhere */
  readonly is_finished: boolean
  readonly agent: string | null
  readonly parent_task_id: string | null
  readonly taken_over_by: string | null
  readonly taken_over_at: string | null
  readonly claimed_by: string | null
  readonly thread: ThreadRef | null
  readonly workspace: string | null
  readonly links: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly budget: JsonObject | null
  readonly deadline_at: string | null
  readonly created_at: string
  readonly closed_at: string | null
  /** the last sign of the task or any of its operations */
  readonly last_sign_at: string
}

/** What every operation of a report says of itself. */
interface Reported {
  readonly operation_id: string
  readonly tool: string
  readonly target: string | null
  readonly phase: string | null
  readonly step: string | null
  readonly effect: Effect | null
  readonly status: OperationStatus
}

export interface ConfirmedItem extends Reported {
  readonly at: string
  readonly settled_by: SettledBy | null
  readonly by_hand: { readonly by: string; readonly at: string } | null
  /** what stands behind that; null where no person settled it */
  readonly verification: Verification | null
  readonly external_ids: readonly ExternalId[]
  /** it took effect, and this operation undid it */
  readonly undone_by: string | null
  /** a cancel was asked before it was confirmed */
  readonly cancel_requested_at: string | null
}

export interface UnknownItem extends Reported {
  readonly risk: RiskClass
  /** when it was last sent; null where that is not known */
  readonly sent_at: string | null
  readonly attempts: number
  readonly last_error: ErrorItem | null
  readonly cause: string | null
  readonly external_ids: readonly ExternalId[]
  /** until then bytes sent may still take effect; null = no bound is known */
  readonly may_arrive_until: string | null
  readonly look_here: LookHere | null
  readonly next_action: NextActionItem
  readonly cancel_requested_at: string | null
  readonly claimed_by: string | null
  readonly version: number
}

export interface InFlightItem extends Reported {
  readonly sent_at: string | null
  /** null: its writer takes no leases */
  readonly lease_expires_at: string | null
  readonly next_action: NextActionItem
}

export interface NotSentItem extends Reported {
  readonly waits_for: 'approval' | 'retry' | 'person' | 'run'
  readonly next_attempt_at: string | null
  readonly last_error: ErrorItem | null
  readonly next_action: NextActionItem
}

export interface NotExecutedItem extends Reported {
  readonly at: string
  readonly settled_by: SettledBy | null
  readonly by_hand: { readonly by: string; readonly at: string } | null
  /** what stands behind that; null where no person settled it */
  readonly verification: Verification | null
  readonly last_error: ErrorItem | null
}

export interface StalledItem extends StallItem {
  /** null for the task itself */
  readonly operation_id: string | null
}

export interface LastErrorItem {
  readonly operation_id: string
  readonly message: string
  readonly at: string
  /** since then somebody found out whether it took effect */
  readonly later_resolved: boolean
}

export interface ReportedExternalId extends ExternalId {
  readonly operation_id: string
}

export interface DuplicateItem {
  /** `same_write`: operations of the same tool and input; `several_objects`: one operation, more than one object */
  readonly kind: 'same_write' | 'several_objects'
  readonly operations: readonly string[]
  readonly external_ids: readonly ExternalId[]
  readonly gap_ms: number | null
  readonly timeout_ms: number | null
  readonly keys_differ: boolean | null
  readonly reason: string
}

export interface ViolationItem {
  readonly rule: string
  readonly operation_id: string
  readonly reason: string
}

export interface ApprovalItem {
  readonly approval_id: string
  readonly operation_id: string
  /** over what was approved: operation, tool, target, input, effect, repeat and policy */
  readonly digest: string
  readonly approver: string
  readonly reason: string
  readonly granted_at: string
  readonly expires_at: string | null
  readonly uses: number
  readonly used: number
  readonly state: 'usable' | 'used_up' | 'expired' | 'revoked' | 'for_something_else'
  /** where the operation is not what was approved; empty where it is, or where nothing more is on record */
  readonly differences: readonly ApprovalDifference[]
}

export interface CompensationItem {
  readonly operation_id: string
  readonly compensates: string
  readonly status: OperationStatus
  readonly reason: string
}

/** A phase as it was written down, held against what is in the workspace now. */
export interface RecordedPhase {
  readonly status: PhaseStatus
  readonly state: PhaseState
  readonly why: readonly string[]
  readonly input: string | null
  readonly input_revision: string | null
  readonly artifact: string | null
  readonly artifact_digest: string | null
  readonly based_on: readonly string[]
  readonly at: string
}

export interface PhaseItem {
  readonly phase: string
  /** null: operations name it, and nobody wrote it down as a phase */
  readonly recorded: RecordedPhase | null
  readonly counts: PhaseCounts
  readonly is_done: boolean
}

export interface PhaseCounts {
  readonly confirmed: number
  readonly unknown: number
  readonly in_flight: number
  readonly not_sent: number
  readonly not_executed: number
  readonly abandoned: number
}

export interface NoteItem {
  readonly note_id: number
  readonly kind: string
  readonly operation_id: string | null
  readonly body: JsonValue
  readonly at: string
  readonly actor: string
}

export interface ChildItem {
  readonly task_id: string
  readonly goal: string | null
  readonly status: TaskStatus
  readonly open: number
  readonly in_doubt: number
  /** open ones, riskiest first; the first twenty */
  readonly operations: readonly (Reported & { readonly in_doubt: boolean })[]
}

export interface ReportedCheckpoint {
  readonly source: string
  readonly language: string
  readonly saver: string
  readonly uri: string
  readonly thread: CheckpointThread
}

export interface NextStep {
  /** a line to type; null where the step is taken elsewhere */
  readonly command: string | null
  readonly why: string
}

export const REPORT_FIELDS = [
  'task',
  'goal',
  'summary',
  'why_stopped',
  'confirmed',
  'unknown',
  'in_flight',
  'not_sent',
  'not_executed',
  'abandoned',
  'stalled',
  'last_error',
  'external_ids',
  'duplicates',
  'violations',
  'approvals',
  'compensations',
  'phases',
  'notes',
  'children',
  'checkpoint',
  'replay_risk',
  'next_steps',
  'warnings',
] as const satisfies readonly (keyof ReportDocument)[]

export type { Reported }
