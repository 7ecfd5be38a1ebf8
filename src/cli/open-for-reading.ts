import type { LedgerConfig } from '../config/config.js'
import { type LedgerForReading, openLedgerForReading } from '../ledger/open-for-reading.js'
import { type Choosing, chosenLedger } from './chosen-ledger.js'

interface AskedToRead extends Choosing {
  /** `--as-of`, milliseconds since 1970 UTC */
  readonly asOf: number | undefined
}

/**
 * Opens the ledger in use to read it, with its configuration and without a trace. A module of its own: what writes a
 * ledger is not loaded for looking at one.
 */
export async function openLedgerInUseForReading({
  asOf,
  waitMs,
  actor,
  trustConfig,
  ...wishes
}: AskedToRead): Promise<{ ledger: LedgerForReading; config: LedgerConfig }> {
  const { location, config } = await chosenLedger(wishes)
  const ledger = await openLedgerForReading(location, {
    config,
    waitMs,
    actor: () => actor(config.identity),
    ...(asOf === undefined ? {} : { asOf }),
    outside: async () => (await import('./outside.js')).outsideOf({ ...wishes, trustConfig }, config),
  })
  return { ledger, config }
}
