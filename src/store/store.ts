import type { NewAction } from '../core/action.js'
import type { Evidence, NewEvidence } from '../core/evidence.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { ExternalId, Operation } from '../core/operation.js'
import type { Phase } from '../core/phase.js'
import type { Notice } from '../core/stall/notice.js'
import type { Task } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import type { Context, Refusal, State, Step } from '../core/transitions/requests.js'
import type { TaskRequest } from '../core/transitions/task.js'
import type { Granted, NewApproval, Revocation, Revoked } from './approval-port.js'
import type { GuestClient, GuestConnection } from './guest-port.js'
import type { Imported, Importing } from './import-port.js'
import type { RemovingAll } from './prune.js'
import type { Claim, NewNote, Note, StoreReader, SubjectRef } from './reader.js'
import type { Seal, Sealing } from './sealing/seal.js'
import type { Removed } from './sql-store/prune.js'
import type { Redacted, Redacting } from './sql-store/redact.js'

export type * from './approval-port.js'
export type * from './guest-port.js'
export type * from './reader.js'

/**
 * The ledger's memory in the application's verbs. Every write is one commit: when its promise settles, it is
 * durable, or nothing of it happened. Expected refusals are values.
 */
export interface Store extends StoreReader {
  change(change: Change): Promise<Changed>
  /**
   * The same inside a transaction that the caller holds open on the same database: done with it or undone with it.
   * @throws LedgerError invalid_input for a connection that is none of this ledger, or not as safe as ours
   */
  changeWithin(connection: GuestConnection, change: Change): Changed
  /** the same for a client of PostgreSQL, whose answers are waited for */
  changeInside(client: GuestClient, change: Change): Promise<Changed>
  /** several changes of different operations in one commit: all of them, or none */
  changeAll(changes: readonly Change[], options: AllOptions): Promise<AllChanged>
  changeTask(change: TaskChange): Promise<TaskChanged>
  /** heartbeat, activity, progress, renewal of the lease: outside the chain and the version */
  signal(signal: Signal): Promise<Signalled>
  /**
   * what another system's record says its agent did, in place of what an earlier reading of it left
   * @throws LedgerError not_found for a task that is not there
   */
  keepActions(taskId: string, actions: readonly (NewAction & { readonly at: number })[]): Promise<void>
  /** append what concludes nothing: evidence without an event, so the version stays */
  addEvidence(addition: EvidenceAddition): Promise<Evidence[]>
  /** null: there is no such operation */
  approve(approval: NewApproval, by: By): Promise<Granted | null>
  /** null: there is no such operation */
  revoke(revocation: Revocation, by: By): Promise<Revoked | null>
  /** null: there is no such operation */
  setDefer(deferral: Deferral, by: By): Promise<Operation | null>
  addNote(note: NewNote, by: By): Promise<Note>
  /** refused where somebody else wrote the phase since, or holds its task */
  writePhase(writing: PhaseWriting, by: By): Promise<PhaseWritten>
  claim(claim: Claim): Promise<Claim | null>
  /** a supervisor's notice as it is now; outside the chains */
  putNotice(notice: Notice): Promise<void>
  /** takes or renews what one does for all; false while another holds it */
  lead(leading: Leading): Promise<boolean>
  stopLeading(leading: Pick<Leading, 'role' | 'owner'>): Promise<void>
  release(subject: SubjectRef, by: By): Promise<boolean>
  /** the records of another system, in one commit */
  importRecords(asked: Importing): Promise<Imported>
  /**
   * blanks bodies of a settled operation, on record
   * @throws LedgerError not_found, refused, ledger_damaged
   */
  redact(asked: Redacting, by: By): Promise<Redacted>
  /** seals all events so far. @throws LedgerError busy, conflict, ledger_damaged */
  seal(asked: Pick<Sealing, 'sign' | 'waitMs'>, by: By): Promise<Seal>
  /** removes what an archive holds and has not changed since, a batch in each commit */
  removeArchived(asked: Omit<RemovingAll, 'ledger_id'>): Promise<Removed>
  /** an event of the ledger itself, about an operation or task, that moves no version: a refused decision, an import */
  record(type: string, about: SubjectRef | null, body: JsonObject, by: By): Promise<void>
}

/** Who does it, and the clock of the commit. The store never lets time run below its last commit. */
export interface By {
  readonly actor: string
  /** asked when the commit has the locks it waited for: what was read before them may be long past */
  readonly clock: () => Stamp
}

/**
 * One change of one operation. `plan` is called inside the commit with what is stored; it must be pure. Steps are
 * decided and applied in order; at the first refusal those before it stay (`keep`) or all are undone (`undo`). A plan
 * that refuses writes nothing.
 */
export interface Change {
  readonly operation_id: string
  /** for an operation that does not exist yet; its task is opened in the same commit if it is missing */
  readonly task_id?: string
  readonly by: By
  /** owners known to be gone, from this machine's process table */
  readonly isOwnerGone: (owner: string) => boolean
  readonly plan: (state: State | null, context: Context) => readonly Step[] | Refusal
  readonly onRefusal: 'keep' | 'undo'
  /** names this decision for ever: asked for again, it changes nothing and answers `repeated` */
  readonly decision_id?: string
  /** takes back the approvals of the operation in the same commit, for this reason */
  readonly revoke_approvals?: string
  /** an event of the ledger itself, about another operation, in the same commit; only where something was written */
  readonly tells?: { readonly about: string; readonly type: string; readonly body: JsonObject }
}

export interface AllOptions {
  /** leave out those that somebody else changed meanwhile (a refusal with code `conflict`) instead of writing none */
  readonly skipConflicts: boolean
}

export interface AllChanged {
  /** false: some were refused, or are not there, and nothing was written */
  readonly done: boolean
  /** in the order asked for; where nothing was written, as things stand, with their refusals */
  readonly changed: readonly Changed[]
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
  /** counted for the task's budget, where no action says it */
  readonly spends?: { readonly steps: number; readonly cost: number }
  /** what it did, of an activity */
  readonly action?: NewAction
  /** renews the lease for this long from now; a lapsed lease cannot be renewed */
  readonly lease_ms?: number
  readonly clock: () => Stamp
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

/** Who does for all what one has to do, until when. */
export interface Leading {
  readonly role: string
  readonly owner: string
  readonly now: number
  readonly until: number
  /** the process of that owner is provably gone: its lease is not waited for */
  readonly isOwnerGone: (owner: string) => boolean
}

/** A phase as it is now; its version and times are the store's to set. */
export interface PhaseWriting {
  readonly phase: Phase
  /** 0: it was never written */
  readonly expected_version: number
  /** the task's epoch as the caller claimed it; null: it claimed none */
  readonly epoch: number | null
}

export type PhaseWritten =
  | { readonly written: Phase; readonly reason: null }
  | { readonly written: null; readonly reason: string }

/** "Not now": until when an operation is left alone; null takes it back. */
export interface Deferral {
  readonly operation_id: string
  readonly until: number | null
  readonly reason: string
}
