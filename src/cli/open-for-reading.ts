import type { LedgerConfig } from '../config/config.js'
import { openLedgerForReading, type ReadingLedger } from '../ledger/open-for-reading.js'
import { configInUse } from './config-in-use.js'
import { findLedger, type LedgerWishes } from './find-ledger.js'

interface Asked extends LedgerWishes {
  readonly waitMs: number
  /** `--as-of`, milliseconds since 1970 UTC */
  readonly asOf: number | undefined
}

/** Opens the ledger in use to read it, with its configuration. Nothing is made, changed or left behind. */
export async function openLedgerInUseForReading({
  waitMs,
  asOf,
  ...wishes
}: Asked): Promise<{ ledger: ReadingLedger; config: LedgerConfig }> {
  const location = await findLedger(wishes)
  const config = await configInUse(wishes)
  const ledger = await openLedgerForReading(location, {
    config,
    waitMs,
    ...(asOf === undefined ? {} : { asOf }),
  })
  return { ledger, config }
}
