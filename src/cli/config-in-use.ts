import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { findConfig } from '../config/find.js'
import type { LedgerWishes } from './find-ledger.js'

/**
 * The configuration that --config names, or the nearest one upward; what holds without one where there is none.
 * The parsers of YAML and of the schema cost a start 30 ms: they are loaded where a configuration was found.
 */
export async function configInUse(wishes: LedgerWishes): Promise<LedgerConfig> {
  if (findConfig(wishes) === undefined) return NO_CONFIG
  const { loadConfig } = await import('../config/load.js')
  return loadConfig(wishes)
}
