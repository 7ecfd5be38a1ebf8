import type { LedgerConfig } from '../config/config.js'
import { NO_CONFIG } from '../config/config.js'
import { isOwnerGone, systemClock } from '../host.js'
import { openStoreForReading } from '../store/open.js'
import { type Looking, looking } from './looking.js'

/** A ledger opened to be read. */
export type ReadingLedger = Looking & {
  readonly ledgerId: string
  /** what a person types to name it */
  readonly location: string
  close(): Promise<void>
}

export interface ReadingOptions {
  readonly config?: LedgerConfig
  /** how long to wait for a lock, milliseconds; default 10 s */
  readonly waitMs?: number
  /**
   * look as of this moment, milliseconds since 1970 UTC, instead of now. The answer is then the same on every machine
   * and at every time: processes that run now say nothing about that moment, so only leases and ages count.
   */
  readonly asOf?: number
}

/**
 * Opens a ledger to read it without a trace: live, killed, copied or on a read-only disk.
 * @throws LedgerError ledger_missing, ledger_unreadable, not_a_ledger, ledger_damaged, ledger_newer, busy
 */
export async function openLedgerForReading(
  location: string,
  { config = NO_CONFIG, waitMs, asOf }: ReadingOptions = {},
): Promise<ReadingLedger> {
  const store = await openStoreForReading({ url: location, ...(waitMs === undefined ? {} : { waitMs }) })
  const clock = asOf === undefined ? systemClock() : () => ({ at: asOf, boot_id: '', boot_ms: 0 })
  return {
    ...looking({ store, clock, config, isOwnerGone: asOf === undefined ? isOwnerGone : () => false }),
    ledgerId: store.ledgerId,
    location: store.location,
    close: () => store.close(),
  }
}
