import type { Action } from '../core/action.js'
import type { Approval } from '../core/approval.js'
import type { Attempt } from '../core/attempt.js'
import type { Undoing } from '../core/compensation.js'
import type { EventView } from '../core/documents/log.js'
import type { Evidence } from '../core/evidence.js'
import type { Horizon } from '../core/follow.js'
import type { JsonValue } from '../core/json.js'
import type { ExternalId, Operation, OperationOutline, OperationStatus } from '../core/operation.js'
import type { Phase } from '../core/phase.js'
import type { Notice } from '../core/stall/notice.js'
import type { Recent } from '../core/stall/recent.js'
import type { Task } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import type { Archiving } from './archive.js'
import type { Exporting, ExportLine } from './export.js'
import type { Beside, OperationPage, OperationQuery } from './list-query.js'
import type { Choosing, Chosen } from './prune.js'
import type { ArchivedStub } from './sql-store/pruned.js'
import type { Redactable, Redacted } from './sql-store/redact.js'
import type { SealEvent } from './sql-store/seals.js'
import type { Verified, VerifyOptions } from './verify.js'

export type { EventView as LoggedEvent } from '../core/documents/log.js'
export type { Beside, OperationPage, OperationQuery }

/** What can be asked of a ledger's memory. Only the ledger's own failure throws. */
export interface StoreReader {
  readonly ledgerId: string
  /** what a person types to name it: a path, or a URL without its password */
  readonly location: string
  /** where outcomes wait that could not be recorded; left out: beside the file */
  readonly spoolFolder?: string
  /** the clock that counts for what is written here: the machine's own, or the database's where many machines write */
  clockOn(machine: () => Stamp): Promise<() => Stamp>

  operation(operationId: string): Promise<OperationRecord | null>
  approval(approvalId: string): Promise<Approval | null>
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
  /** what these tasks did lately; nothing is read of a task of which no rule could say anything by it */
  recent(query: RecentQuery): Promise<ReadonlyMap<string, Recent>>
  /** phases of a task, in the order in which they were begun */
  phases(taskId: string): Promise<Phase[]>
  /** phases of tasks that are not closed, by task */
  openPhases(): Promise<Phase[]>
  /** what a task's agent did, the newest that are kept, oldest first */
  actions(taskId: string): Promise<Action[]>
  /** all of a task that a report needs */
  taskRecord(taskId: string): Promise<TaskRecord | null>
  events(query: EventQuery): Promise<EventView[]>
  /** how far commits are, to follow events by; null: they are committed in the order of their numbers */
  commitHorizon(): Promise<Horizon | null>
  /** the event that carried out the decision of this id; null while nobody did */
  decision(decisionId: string): Promise<EventView | null>
  /** counts of what is open, read from indexes of what is open */
  counts(now: number): Promise<OpenCounts>
  /** ids near a mistyped one, nearest first */
  near(id: string): Promise<string[]>
  /** recomputes all that can be recomputed, page by page, and names what does not fit */
  /** the ledger as the lines of an export, in constant memory */
  exportLines(asked: Omit<Exporting, 'ledger_id'>): AsyncIterable<ExportLine>
  verify(options?: VerifyOptions): Promise<Verified>
  /** settled operations as the lines of an archive, and at the end how many stay and why */
  archiveLines(asked: Omit<Archiving, 'ledger_id'>): AsyncGenerator<string, Chosen>
  /** ids of those that may be archived, in pages; reads all of history */
  chosenForArchive(asked: Choosing): AsyncGenerator<readonly string[], Chosen>
  /** what `redact` would blank. @throws LedgerError not_found, refused, ledger_damaged */
  redactable(asked: Redactable): Promise<Redacted>
  /** what stays of an operation that was archived; null where none of this id was */
  archived(operationId: string): Promise<ArchivedStub | null>
  /** how many operations of a task were archived */
  archivedOf(taskId: string): Promise<number>
  /** the seals of this ledger, oldest first */
  seals(): Promise<SealEvent[]>
  /** what could be sent now or must be recovered, in the order in which it was prepared */
  due(query: DueQuery): Promise<DueOperation[]>
  /** notices of a supervisor that have not ended */
  openNotices(): Promise<Notice[]>
  /** wall time of the first event after this moment; null: there is none */
  firstEventAfter(at: number): Promise<number | null>
  /** every tool there is an operation of; reads all of history */
  tools(): Promise<ToolSeen[]>
  /** wall time of the last commit; null for a ledger without events */
  lastCommitAt(): Promise<number | null>

  close(): Promise<void>
}

export interface ToolSeen {
  readonly newest: OperationOutline
  /** unknown, or waiting to be sent again after a doubt */
  readonly in_doubt: number
}

export interface DueQuery {
  readonly now: Stamp
  /** owners of leases that are provably gone */
  readonly goneOwners: readonly string[]
  /** the page after this one of an earlier page; 0 for the first */
  readonly afterSeq: number
  readonly limit: number
}

/**
 * Prepared with its time come, in doubt with a repeat that was declared, or in flight without an executor; of a task
 * that nobody holds. Whether it may be sent is for the commit that sends it to say.
 */
export interface DueOperation {
  readonly seq: number
  readonly operation_id: string
  readonly task_id: string
  readonly tool: string
}

export type SubjectRef = { readonly operation_id: string } | { readonly task_id: string }

/** A handoff note, append-only. `kind` says what it tells. */
export interface NewNote {
  readonly task_id: string
  readonly operation_id?: string | null
  readonly kind: 'finding' | 'open' | 'hypothesis' | 'workspace' | 'remark' | 'summary'
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
  /** every operation that undoes it, or is to, oldest first */
  readonly undone_by: readonly Undoing[]
}

export interface TaskQuery {
  /** `open`: not closed, or with something open */
  readonly scope: 'open' | 'all'
  readonly now: Stamp
  readonly goneOwners: readonly string[]
  readonly limit: number | null
}

export interface RecentQuery {
  readonly tasks: readonly Task[]
  /** what moved after this moment stands still by no rule */
  readonly quiet_since: number
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
  readonly phases: readonly Phase[]
  readonly children: readonly Task[]
  /** of the task and of its operations; may have ended already: see their `until` */
  readonly claims: readonly Claim[]
}

export interface EventQuery {
  readonly about?: SubjectRef
  /** any of these */
  readonly actors?: readonly string[]
  readonly type?: string
  readonly since?: number
  /** only events written after this one (for --follow and for paging) */
  readonly after_seq?: number
  readonly limit: number
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
