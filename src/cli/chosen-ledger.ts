import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { findConfig } from '../config/find.js'
import { findLedger, type LedgerWishes } from './find-ledger.js'

/** What a command knows of the ledger it wants, and of who asks. */
export interface Choosing extends LedgerWishes {
  /** the configuration may run programs, whatever was trusted */
  readonly trustConfig: boolean
  readonly waitMs: number
  /** who decides, given what the configuration names; looked up when it is asked for */
  readonly actor: (identity?: string) => Promise<string>
}

/** The ledger in use and its configuration. @throws LedgerError ledger_missing with the places searched, invalid_config */
export async function chosenLedger(wishes: LedgerWishes) {
  return { location: await findLedger(wishes), config: await configInUse(wishes) }
}

/**
 * The configuration that --config names, or the nearest one upward; what holds without one where there is none.
 * The parsers of YAML and of the schema cost a start 30 ms: they are loaded where a configuration was found.
 */
export async function configInUse(wishes: LedgerWishes): Promise<LedgerConfig> {
  if (findConfig(wishes) === undefined) return NO_CONFIG
  const { loadConfig } = await import('../config/load.js')
  return loadConfig(wishes)
}
