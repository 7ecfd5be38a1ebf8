import type { Attempt, AttemptEnd } from './attempt.js'
import type { Evidence } from './evidence.js'
import type { JsonValue } from './json.js'
import type { CheckpointRef, Effect, ExternalId, Operation, OperationStatus } from './operation.js'
import type { Phase } from './phase.js'
import type { Task, TaskStatus, ThreadRef } from './task.js'

/**
 * What another system wrote down, in the words of this project: what a source yields, `import` stores and `--from`
 * shows. Times are milliseconds since 1970 UTC; null = their record does not say.
 */
export type ImportedRecord =
  | ImportedTask
  | ImportedOperation
  | ImportedAction
  | ImportedNote
  | ImportedPhase
  | ImportWarning

/** A run of theirs. Yielded before what belongs to it; the same `task_id` again replaces what the earlier one said. */
export interface ImportedTask {
  readonly record: 'task'
  /** `<source>:<their id>`: the same on every reading */
  readonly task_id: string
  readonly parent_task_id: string | null
  readonly goal: string | null
  readonly status: TaskStatus
  /** their word for the status, and their reason */
  readonly status_reason: string | null
  readonly agent: string | null
  readonly thread: ThreadRef | null
  readonly workspace: string | null
  readonly labels: Readonly<Record<string, string>>
  readonly deadline_at: number | null
  readonly heartbeat_at: number | null
  readonly activity_at: number | null
  readonly progress_at: number | null
  readonly created_at: number | null
  readonly closed_at: number | null
  /** what only a ledger of this program keeps of it */
  readonly own?: Partial<Pick<Task, 'links' | 'budget'>>
}

/**
 * One outside write of theirs. `not_executed` stands only where no attempt may have taken effect: one that is open, or
 * ended `ambiguous` or `applied`, makes it `unknown` when it is stored.
 */
export interface ImportedOperation {
  readonly record: 'operation'
  /** `<source>:<their ids>`: the same on every reading */
  readonly operation_id: string
  readonly task_id: string
  readonly tool: string
  readonly phase: string | null
  readonly step: string | null
  readonly effect: Effect | null
  readonly target: string | null
  /** null where they keep none */
  readonly input: JsonValue
  /** their own digest of the input, in their spelling, where they keep one */
  readonly foreign_digest: string | null
  readonly idempotency_key: string | null
  readonly status: OperationStatus
  /** their word for the status */
  readonly foreign_status: string
  /** id of the source's rule that mapped the status, `temporal.timed_out_start_to_close` */
  readonly rule: string
  /** one sentence: what their record says and why that means this status */
  readonly why: string
  readonly attempts: readonly ImportedAttempt[]
  readonly external_ids: readonly ExternalId[]
  readonly result: JsonValue | null
  readonly heartbeat_at: number | null
  readonly progress: JsonValue | null
  readonly checkpoint: CheckpointRef | null
  /** true: they use no leases, so an attempt in the air is never called dead by age */
  readonly without_leases: boolean
  /** until when their executor holds it, where they use leases: after it an attempt in the air is in doubt */
  readonly lease_expires_at?: number | null
  /** id of the operation that this one undoes */
  readonly compensates?: string
  readonly created_at: number | null
  readonly updated_at: number | null
  /** what only a ledger of this program knows of it */
  readonly own?: OwnRecord
}

/** What an export of this program says beyond what any other system could. */
export interface OwnRecord
  extends Pick<
    Operation,
    | 'input_digest'
    | 'key_scope'
    | 'repeat'
    | 'contract'
    | 'amount'
    | 'max_attempts'
    | 'deadline_at'
    | 'timeout_ms'
    | 'compensates'
    | 'supersedes'
    | 'links'
    | 'provenance'
    | 'flags'
    | 'last_error'
    | 'settled_by'
    | 'by_hand'
    | 'settled_at'
    | 'result_digest'
    | 'cancel_requested_at'
    | 'next_attempt_at'
    | 'retry_reason'
    | 'defer_until'
    | 'next_look_at'
    | 'activity_at'
    | 'progress_at'
    | 'version'
  > {
  /** of the ledger it was written down in first */
  readonly ledger_id: string
  readonly attempts: readonly Omit<Attempt, 'operation_id'>[]
  readonly evidence: readonly Omit<Evidence, 'operation_id'>[]
}

export interface ImportedAttempt {
  /** 1, 2, 3, … as they count */
  readonly n: number
  readonly owner: string | null
  readonly sent_at: number | null
  readonly ended_at: number | null
  /** null: it may still be under way */
  readonly end: AttemptEnd | null
  readonly error: { readonly message: string; readonly code?: string } | null
}

/** One thing an agent did, for the rules that look for loops: reads and thoughts are among them, not only writes. */
export interface ImportedAction {
  readonly record: 'action'
  readonly task_id: string
  /** `input`: a person said something; what the agent did before it counts for no loop any more */
  readonly kind: 'tool' | 'message' | 'condensation' | 'input'
  /** name of the tool; null for a message */
  readonly tool: string | null
  /** canonical input of the tool, or the text of the message; digested by who takes it in */
  readonly input: JsonValue
  /** null while nothing came back */
  readonly result: JsonValue | null
  readonly outcome: 'ok' | 'error' | null
  readonly at: number | null
}

/** What the other system itself found out or left open. `kind` as in handoff notes. */
export interface ImportedNote {
  readonly record: 'note'
  readonly task_id: string
  readonly operation_id: string | null
  readonly kind: 'finding' | 'open' | 'hypothesis' | 'workspace' | 'remark' | 'summary'
  readonly body: JsonValue
  readonly at: number | null
}

export interface ImportedPhase {
  readonly record: 'phase'
  readonly task_id: string
  readonly name: string
  readonly input_revision: string | null
  readonly status: string
  readonly artifact: string | null
  readonly artifact_digest: string | null
  readonly at: number | null
  /** what only a ledger of this project says of a phase */
  readonly own?: Pick<Phase, 'input' | 'based_on' | 'result' | 'evidence'>
}

/** Something that was skipped or is doubtful. Counted by code, shown with the first places. */
export interface ImportWarning {
  readonly record: 'warning'
  readonly code: string
  readonly message: string
  /** `line 12`, `event 48`, `events/event-00012.json` */
  readonly where: string | null
}
