import type { LedgerConfig } from '../config/config.js'
import type { Stamp } from '../core/time.js'
import type { Store } from '../store/store.js'

/** What every verb of an open ledger stands on. The clocks and the process come from src/host.ts; tests give their own. */
export interface Session {
  readonly store: Store
  readonly clock: () => Stamp
  /** milliseconds that only grow, for the last look before the first byte */
  readonly monotonicMs: () => number
  /** who is written into the record unless a verb names somebody else */
  readonly actor: string
  /** this process as the holder of leases */
  readonly owner: string
  /** true only where the holder of a lease is provably gone */
  readonly isOwnerGone: (owner: string) => boolean
  readonly config: LedgerConfig
  /** told what needs a look and stops nothing */
  readonly warn: (warning: LedgerWarning) => void
}

/** Something that does not stop the work but should be seen by a person. */
export interface LedgerWarning {
  readonly code: WarningCode
  /** what, to which id or path, and what to do */
  readonly message: string
  readonly operation_id?: string
  readonly path?: string
}

export type WarningCode =
  /** the operation's id looks made by chance: after a replay it protects nothing */
  | 'random_id'
  /** the result is kept by digest only: too large, or JSON cannot hold it */
  | 'result_not_kept'
  /** the lease could not be renewed, or somebody else holds the operation now */
  | 'hold_lost'
  /** an outcome could not be recorded; `path` names the file that holds it until the next open */
  | 'receipt_spooled'
  /** a file in the receipt spool is none, or of another ledger; it was left where it is */
  | 'receipt_unreadable'

/** The `by` of a write: who, and when by this machine's clocks. */
export function byNow({ actor, clock }: Session) {
  return { actor, now: clock() }
}
