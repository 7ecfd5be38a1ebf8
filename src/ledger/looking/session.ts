import type { LedgerConfig } from '../../config/config.js'
import type { Stamp } from '../../core/time.js'
import type { StoreReader } from '../../store/store.js'

/** What looking at a ledger stands on; a session that writes has all of it. */
export interface LookingSession {
  readonly store: StoreReader
  readonly clock: () => Stamp
  /** true only where the holder of a lease is provably gone */
  readonly isOwnerGone: (owner: string) => boolean
  readonly config: Pick<LedgerConfig, 'stall' | 'redact' | 'tools'>
}
