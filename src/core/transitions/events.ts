import type { Attempt, AttemptEnd } from '../attempt.js'
import type { JsonValue } from '../json.js'
import type { Contract, ExternalId, LastError, Operation, OperationStatus, Repeat } from '../operation.js'
import type { Reservation } from '../retry.js'
import type { EventType } from './requests.js'

/** Columns an event may set; the rest of the row follows from the event's place and its `to`. */
export type Settable = Partial<
  Omit<
    Operation,
    | 'status'
    | 'may_have_applied'
    | 'version'
    | 'updated_at'
    | 'input'
    | 'result'
    | 'contract'
    | 'repeat'
    | 'evidence_count'
  >
>

/**
 * What one event of an operation says, complete: replaying the bodies of an operation's events in order gives
 * its row. Large values (input, result, contract) stand in the row alone and in the event by digest.
 */
export interface EventBody {
  /** null for the first event */
  readonly from: OperationStatus | null
  readonly to: OperationStatus
  readonly set?: Settable
  /** the attempt this event announces */
  readonly attempt?: Omit<
    Attempt,
    | 'operation_id'
    | 'ended_at'
    | 'end'
    | 'error'
    | 'heartbeat_at'
    | 'activity_at'
    | 'progress_at'
    | 'progress'
  >
  /** attempts that another system made, whole, as its record tells of them */
  readonly attempts?: readonly Omit<Attempt, 'operation_id'>[]
  /** attempts whose end this event states */
  readonly ends?: readonly { readonly n: number; readonly end: AttemptEnd; readonly error?: LastError }[]
  /** evidence this event rests on: its number in the operation and its hash */
  readonly evidence?: readonly { readonly n: number; readonly hash: string }[]
  readonly external_ids?: readonly ExternalId[]
  readonly reason?: string
  /** what it takes of the retry quota of its destination */
  readonly quota?: Reservation
  /** anything else worth keeping: why an orphan, which risk was accepted, which version was looked at */
  readonly facts?: Readonly<Record<string, JsonValue>>
}

/** Kept in the row alone; the events hold their digests. */
export interface Large {
  readonly input: JsonValue
  readonly repeat: Repeat | null
  readonly contract: Contract
  readonly result: JsonValue
}

/** An event before it is stored, with the large values that go into the row beside it. */
export interface NewEvent {
  readonly type: EventType
  readonly body: EventBody
  readonly large: Partial<Large>
}
