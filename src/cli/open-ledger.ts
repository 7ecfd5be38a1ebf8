import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { findConfig } from '../config/find.js'
import { type Ledger, openLedger } from '../ledger.js'
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

// The parsers of YAML and of the schema cost a start 30 ms; without a configuration they are not needed.
async function configInUse(wishes: LedgerWishes): Promise<LedgerConfig> {
  if (findConfig(wishes) === undefined) return NO_CONFIG
  const { loadConfig } = await import('../config/load.js')
  return loadConfig(wishes)
}
