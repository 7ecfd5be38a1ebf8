import type { Approval } from '../core/approval.js'
import type { Attempt } from '../core/attempt.js'
import type { Evidence, NewEvidence } from '../core/evidence.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ExternalId, Operation, OperationOutline, OperationStatus } from '../core/operation.js'
import type { Task } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import type { Context, Refusal, State, Step } from '../core/transitions/requests.js'
import type { TaskRequest } from '../core/transitions/task.js'
import type { Beside, OperationPage, OperationQuery } from './list-query.js'
import type { Verified, VerifyOptions } from './verify.js'

export type { Beside, OperationPage, OperationQuery }

/** What can be asked of a ledger's memory. Only the ledger's own failure throws. */
export interface StoreReader {
  readonly ledgerId: string
  /** what a person types to name it: a path, or a URL without its password */
  readonly location: string

  operation(operationId: string): Promise<OperationRecord | null>
  operations(query: OperationQuery): Promise<OperationPage>
  /** what stands beside the rows of a list, each kind in one query for all of them */
  beside(operations: readonly OperationOutline[], now: number): Promise<Beside>
  /** owners of the leases now held, each once */
  leaseOwners(): Promise<string[]>
  externalIdsOf(operationIds: readonly string[]): Promise<ReadonlyMap<string, ExternalId[]>>
  claimsOf(subjects: readonly SubjectRef[], now: number): Promise<Claim[]>
  /** claims that have not ended, oldest first */
  claims(now: number): Promise<Claim[]>
  task(taskId: string): Promise<Task | null>
  /** not closed, or with something open, in the order in which they were opened; nothing of theirs is counted */
  openTasks(): Promise<Task[]>
  /** tasks that point to a checkpoint's thread, in the order in which they were opened */
  tasksWithThread(): Promise<Task[]>
  /** the tasks right below it, in the order in which they were opened */
  children(taskId: string): Promise<Task[]>
  tasks(query: TaskQuery): Promise<TaskPage>
  /** all of a task that a report needs */
  taskRecord(taskId: string): Promise<TaskRecord | null>
  events(query: EventQuery): Promise<LoggedEvent[]>
  /** the event that carried out the decision of this id; null while nobody did */
  decision(decisionId: string): Promise<LoggedEvent | null>
  /** counts of what is open, read from indexes of what is open */
  counts(now: number): Promise<OpenCounts>
  /** ids near a mistyped one, nearest first */
  near(id: string): Promise<string[]>
  /** recomputes all that can be recomputed, page by page, and names what does not fit */
  verify(options?: VerifyOptions): Promise<Verified>
  /** wall time of the last commit; null for a ledger without events */
  lastCommitAt(): Promise<number | null>

  close(): Promise<void>
}

/**
 * The ledger's memory in the application's verbs. Every write is one commit: when its promise settles, it is
 * durable, or nothing of it happened. Expected refusals are values.
 */
export interface Store extends StoreReader {
  change(change: Change): Promise<Changed>
  changeTask(change: TaskChange): Promise<TaskChanged>
  /** heartbeat, activity, progress, renewal of the lease: outside the chain and the version */
  signal(signal: Signal): Promise<Signalled>
  /** append what concludes nothing: evidence without an event, so the version stays */
  addEvidence(addition: EvidenceAddition): Promise<Evidence[]>
  /** null: there is no such operation */
  setDefer(deferral: Deferral, by: By): Promise<Operation | null>
  addNote(note: NewNote, by: By): Promise<Note>
  claim(claim: Claim): Promise<Claim | null>
  release(subject: SubjectRef, by: By): Promise<boolean>
  /** an event of the ledger itself, about an operation or task, that moves no version: a refused decision, an import */
  record(type: string, about: SubjectRef | null, body: JsonObject, by: By): Promise<void>
}

/** Who does it, and when by their clocks. The store never lets time run below its last commit. */
export interface By {
  readonly actor: string
  readonly now: Stamp
}

/**
 * One change of one operation. `plan` is called inside the commit with what is stored; it must be pure. Steps are
 * decided and applied in order; at the first refusal those before it stay (`keep`) or all are undone (`undo`).
 */
export interface Change {
  readonly operation_id: string
  /** for an operation that does not exist yet; its task is opened in the same commit if it is missing */
  readonly task_id?: string
  readonly by: By
  /** owners known to be gone, from this machine's process table */
  readonly isOwnerGone: (owner: string) => boolean
  readonly plan: (state: State | null, context: Context) => readonly Step[]
  readonly onRefusal: 'keep' | 'undo'
  /** names this decision for ever: asked for again, it changes nothing and answers `repeated` */
  readonly decision_id?: string
}

export interface Changed {
  /** null: there is no such operation and none was prepared */
  readonly state: State | null
  readonly task: Task | null
  /** the events written by this change, in order */
  readonly events: readonly { readonly n: number; readonly type: string }[]
  readonly refusal: Refusal | null
  /** this decision_id was carried out before: nothing was planned or written now */
  readonly repeated: boolean
}

export interface TaskChange {
  readonly task_id: string
  readonly request: TaskRequest
  readonly by: By
  readonly isOwnerGone: (owner: string) => boolean
}

export interface TaskChanged {
  readonly task: Task | null
  /** operations moved in the same commit, with the attempts that may still send bytes until `send_by` */
  readonly operations: readonly State[]
  readonly refusal: Refusal | null
}

export interface Signal {
  readonly kind: 'heartbeat' | 'activity' | 'progress'
  /** an operation in flight (with attempt and fence), or a task */
  readonly subject:
    | { readonly operation_id: string; readonly attempt: number; readonly fence: number }
    | { readonly task_id: string }
  readonly progress?: JsonValue
  /** renews the lease for this long from now; a lapsed lease cannot be renewed */
  readonly lease_ms?: number
  readonly now: Stamp
}

export type Signalled =
  | { readonly held: true; readonly lease_expires_at: number | null; readonly cancel_requested: boolean }
  | { readonly held: false; readonly reason: string }

export interface EvidenceAddition {
  readonly operation_id: string
  readonly evidence: readonly NewEvidence[]
  readonly external_ids?: readonly ExternalId[]
  /** time of the next useful look, stored with it */
  readonly next_look_at?: number | null
  readonly by: By
}

export type SubjectRef = { readonly operation_id: string } | { readonly task_id: string }

/** "Not now": until when an operation is left alone; null takes it back. */
export interface Deferral {
  readonly operation_id: string
  readonly until: number | null
  readonly reason: string
}

/** A handoff note, append-only. `kind` says what it tells. */
export interface NewNote {
  readonly task_id: string
  readonly operation_id?: string | null
  readonly kind: 'finding' | 'open' | 'hypothesis' | 'workspace' | 'remark'
  readonly body: JsonValue
}

export interface Note extends Required<NewNote> {
  readonly note_id: number
  readonly actor: string
  readonly at: number
}

/** "I am looking at it", until a time. */
export interface Claim {
  readonly subject: SubjectRef
  readonly actor: string
  readonly at: number
  readonly until: number
}

export interface OperationRecord {
  readonly operation: Operation
  readonly task: Task
  readonly attempts: readonly Attempt[]
  readonly evidence: readonly Evidence[]
  readonly external_ids: readonly ExternalId[]
  readonly approvals: readonly Approval[]
  readonly notes: readonly Note[]
  /** may have ended already: see its `until` */
  readonly claim: Claim | null
  /** was another operation on the same target sent since this one's first send? null = no target named */
  readonly target_touched: boolean | null
}

export interface TaskQuery {
  /** `open`: not closed, or with something open */
  readonly scope: 'open' | 'all'
  readonly now: Stamp
  readonly goneOwners: readonly string[]
  readonly limit: number | null
}

export interface TaskPage {
  readonly tasks: readonly TaskSummary[]
  readonly left_out: number
}

export interface TaskSummary {
  readonly task: Task
  readonly counts: Readonly<Record<OperationStatus, number>>
  readonly in_doubt: number
  readonly oldest_in_doubt_at: number | null
}

export interface TaskRecord {
  readonly task: Task
  readonly operations: readonly Operation[]
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>
  readonly external_ids: ReadonlyMap<string, readonly ExternalId[]>
  readonly approvals: readonly Approval[]
  readonly notes: readonly Note[]
  readonly children: readonly Task[]
  /** of the task and of its operations; may have ended already: see their `until` */
  readonly claims: readonly Claim[]
}

export interface EventQuery {
  readonly about?: SubjectRef
  readonly actor?: string
  readonly type?: string
  readonly since?: number
  /** only events written after this one (for --follow and for paging) */
  readonly after_seq?: number
  readonly limit: number
}

export interface LoggedEvent {
  readonly seq: number
  readonly subject: 'operation' | 'task' | 'ledger'
  readonly subject_id: string
  readonly n: number
  /** what a ledger event concerns */
  readonly about: string | null
  readonly type: string
  readonly at: number
  readonly actor: string
  readonly body: JsonValue
  readonly hash: string
}

export interface OpenCounts {
  readonly unknown: number
  readonly in_flight: number
  readonly prepared: number
  readonly prepared_in_doubt: number
  readonly duplicates: number
  readonly claims: number
  readonly tasks_open: number
  readonly tasks_taken_over: number
}
