import type { Approval } from '../core/approval.js'
import type { JsonValue } from '../core/json.js'
import type { Refusal, State } from '../core/transitions/requests.js'

// The port's part about leave to send: what a person gives and takes back.

/** Leave to send, from a person who was shown what `digest` is made over. */
export interface NewApproval {
  readonly operation_id: string
  readonly digest: string
  /** what was shown, masked: kept in the event, to tell later what differs */
  readonly approved: JsonValue
  readonly reason: string
  readonly expires_at: number | null
  readonly uses: number
}

export type Granted =
  | { readonly approval: Approval; readonly refusal: null }
  | { readonly approval: null; readonly refusal: Refusal }

export interface Revocation {
  readonly operation_id: string
  /** null: every approval of the operation that could still permit a send */
  readonly approval_id: string | null
  readonly reason: string
}

export interface Revoked {
  readonly state: State
  /** empty: there was nothing to take back */
  readonly revoked: readonly Approval[]
}
