import type { LedgerConfig } from '../config/config.js'
import { type Ledger, openLedger } from '../ledger.js'
import { configInUse } from './config-in-use.js'
import { findLedger, type LedgerWishes } from './find-ledger.js'

interface Asked extends LedgerWishes {
  readonly waitMs: number
  /** who decides, given what the configuration names */
  readonly actor: (identity?: string) => Promise<string>
}

/** Opens the ledger in use to write it, with its configuration. It is never made here: `init` does that. */
export async function openLedgerInUse({
  waitMs,
  actor,
  ...wishes
}: Asked): Promise<{ ledger: Ledger; config: LedgerConfig }> {
  const location = await findLedger(wishes)
  const config = await configInUse(wishes)
  const ledger = await openLedger(location, {
    create: false,
    config,
    actor: await actor(config.identity),
    waitMs,
  })
  return { ledger, config }
}
