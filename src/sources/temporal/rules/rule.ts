import type { OperationStatus } from '../../../core/operation.js'
import type { Call } from '../call.js'

/** What a rule may know beside the call itself. */
export interface Around {
  /** the workflow is over, by its history or by what describe says */
  readonly isClosed: boolean
  /** events are missing where the call's end could stand */
  readonly isCut: boolean
  /** a describe answer of this very run is there */
  readonly isDescribed: boolean
  readonly now: number | null
  readonly assumeWorkersStopped: boolean
}

/** What a history says of a call, and why that means its status. The first rule of a list that applies decides. */
export interface OutcomeRule {
  readonly id: string
  /** what the record says */
  readonly title: string
  readonly status: OperationStatus
  /** why that means this status */
  readonly reason: string
  readonly applies: (call: Call, around: Around) => boolean
}
