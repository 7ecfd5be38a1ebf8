import type { Approval } from '../approval.js'
import type { Attempt } from '../attempt.js'
import type { NewEvidence } from '../evidence.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { ExternalId, Intent, LastError, Operation, OperationStatus, SettledBy } from '../operation.js'
import type { Reservation } from '../retry.js'
import type { Task } from '../task.js'
import type { Stamp } from '../time.js'

/** What is known of an operation when something is asked of it. `null` = the id is unused. */
export interface State {
  readonly operation: Operation
  readonly attempts: readonly Attempt[]
}

/** The result of an attempt as its executor saw it, after classification. */
interface AttemptResult {
  readonly attempt: number
  readonly fence: number
}

interface Decision {
  readonly reason: string
  /** the version the person looked at; null = they looked just now, in the same commit */
  readonly expected_version: number | null
}

/** A retry at a time of its own. */
export interface Scheduled {
  readonly next_attempt_at: number
  readonly retry_reason: string
  readonly quota?: Reservation
}

/** What whoever asks says of their asking. */
export interface Asking {
  /** why the same tool and input are wanted once more under this id */
  readonly again?: string
  /** it cleans up after a cancelled task */
  readonly cleanup?: true
}

/** Everything that can be asked of an operation; one member an event of transitions/table.ts. */
export type Request =
  | (Asking & { readonly type: 'prepare'; readonly intent: Intent })
  | {
      readonly type: 'send'
      readonly owner: string
      /** length of the lease; null = this writer takes none */
      readonly lease_ms: number | null
      /** the task's epoch as the executor claimed it; null = claimed in this commit */
      readonly epoch: number | null
      /** the fence the executor holds from preparing; null = taken in this commit */
      readonly fence: number | null
    }
  | (AttemptResult & {
      readonly type: 'accept'
      /** what to ask the service about; null where it named nothing */
      readonly remote: ExternalId | null
      readonly patience_ms: number
    })
  | {
      readonly type: 'confirm'
      /** the attempt and fence of a receipt; null for a probe, which speaks for the operation */
      readonly attempt: number | null
      readonly fence: number | null
      readonly by: 'receipt' | 'probe'
      readonly external_ids: readonly ExternalId[]
      readonly result: JsonValue
      readonly result_digest: string | null
      readonly duplicates: boolean
    }
  | (AttemptResult & {
      readonly type: 'reject' | 'reject_in_doubt'
      readonly error: LastError
      /** a retry would follow, were attempts or time left */
      readonly budget_spent?: string
    })
  | (AttemptResult & Scheduled & { readonly type: 'schedule_retry'; readonly error: LastError })
  | (AttemptResult & {
      readonly type: 'lose'
      readonly error: LastError
      /** objects the executor named before it lost the answer */
      readonly external_ids?: readonly ExternalId[]
      /** a repeat would be safe, were attempts or time left */
      readonly budget_spent?: string
    })
  | { readonly type: 'orphan'; readonly why: OrphanReason; readonly reason: string | null }
  | { readonly type: 'takeover'; readonly reason: string }
  /** null or left out: at once */
  | { readonly type: 'resend'; readonly retry?: Scheduled | null }
  | { readonly type: 'rerun' }
  | (Decision & {
      readonly type: 'allow_retry'
      /** the risk that the person takes, in their words; null: none */
      readonly accept_duplicate: string | null
    })
  | { readonly type: 'withdraw'; readonly reason: string }
  | {
      readonly type: 'absent'
      readonly rules_version: number
      /** the attempt count and version before the probe's first read */
      readonly seen_attempts: number
      readonly seen_version: number
    }
  | (Decision & {
      readonly type: 'resolve_confirmed'
      readonly external_ids: readonly ExternalId[]
      readonly result: JsonValue
      readonly result_digest: string | null
      /** confirm it although it touched another target than was asked for */
      readonly other_target?: boolean
      readonly without_evidence?: boolean
    })
  | (Decision & {
      readonly type: 'resolve_not_executed'
      readonly early: boolean
      readonly without_evidence?: boolean
    })
  | (AttemptResult & {
      readonly type: 'late_result'
      readonly end: 'applied' | 'not_applied' | 'ambiguous'
      readonly external_ids: readonly ExternalId[]
      readonly result: JsonValue
      readonly result_digest: string | null
      readonly error: LastError | null
    })
  | {
      readonly type: 'contradict'
      readonly reason: string
      /** the attempt whose late receipt it is; null for a probe's finding */
      readonly attempt: number | null
      readonly external_ids: readonly ExternalId[]
    }
  | (Decision & { readonly type: 'reopen' | 'deny' | 'abandon' | 'acknowledge' })
  /** `superseded_by`: the edit that is prepared in the same commit */
  | (Decision & { readonly type: 'cancel'; readonly superseded_by?: string })
  /** what this compensation undoes left `confirmed`; the reason names it */
  | { readonly type: 'question'; readonly reason: string }
  | (TheirRecord & { readonly type: 'import' })

/** What another system's record of an operation comes to in the words of this project. */
export interface TheirRecord {
  /** used where the id is new here */
  readonly intent: Intent
  readonly status: OperationStatus
  /** by number; none in doubt where the status says that nothing took effect */
  readonly attempts: readonly Omit<Attempt, 'operation_id'>[]
  readonly external_ids: readonly ExternalId[]
  readonly result: JsonValue
  readonly result_digest: string | null
  readonly last_error: LastError | null
  readonly settled_by: SettledBy | null
  /** until when their executor holds it; null = no lease is known */
  readonly lease_expires_at: number | null
  /** columns that only an earlier life in a ledger of this program can have filled */
  readonly kept: Pick<
    Partial<Operation>,
    | 'by_hand'
    | 'flags'
    | 'cancel_requested_at'
    | 'next_attempt_at'
    | 'retry_reason'
    | 'defer_until'
    | 'next_look_at'
    | 'activity_at'
    | 'progress_at'
  >
  readonly heartbeat_at: number | null
  readonly progress: JsonValue | null
  readonly created_at: number
  readonly settled_at: number | null
  /** their own words, for the record */
  readonly said: JsonObject
}

export type OrphanReason = 'lease_lapsed' | 'owner_gone' | 'person'

export type EventType = Request['type']

export type RequestOf<T extends EventType> = Extract<Request, { type: T }>

/** One request of a change, with the evidence it rests on. */
export interface Step {
  readonly request: Request
  readonly evidence?: readonly NewEvidence[]
}

/** What the guards may look at besides the operation; read in the commit that writes. */
export interface Context {
  readonly now: Stamp
  readonly actor: string
  readonly evidence: readonly NewEvidence[]
  readonly task: Task
  /** is the lease's owner provably gone: same host and boot, no such process with that start time? */
  readonly owner_gone: boolean
  /** was another operation on the same target sent since this one's first send? null = nobody looked */
  readonly target_touched: boolean | null
  /** the clocks disagree since the ledger's last commit */
  readonly clock_doubt: boolean
  /** the approval that would be consumed, and the digest it must carry; null = none on file */
  readonly approval: Approval | null
  readonly approval_digest: string | null
  /** for a compensation: what it undoes, with its attempts, and whether another one is open or confirmed */
  readonly compensated: (State & { readonly other_compensation: string | null }) | null
  /** compensations of it that were sent: what says of them, too, when it leaves `confirmed` */
  readonly undone_by: readonly string[]
  /** another operation of this task with the same tool and input; what `prepare` marks as `same_as` */
  readonly same_write: string | null
  /** until when the retry quota of its destination is used up; null where it has none, or nothing was drawn */
  readonly quota_used_until: number | null
  readonly known_external_ids: readonly ExternalId[]
  /** this ledger is a restored or copied one since the operation was prepared */
  readonly new_incarnation: boolean
}

/** Why nothing was moved. `rule` is a guard's id; `satisfy` says what would be accepted. */
export interface Refusal {
  readonly rule: string
  /** `conflict`: it changed since the asker looked; `refused`: a safety rule */
  readonly code: 'conflict' | 'refused'
  readonly reason: string
  readonly satisfy: string
  /** another operation that stands in the way */
  readonly other?: string
}
