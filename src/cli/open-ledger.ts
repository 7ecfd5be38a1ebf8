import { type LedgerConfig, NO_CONFIG } from '../config/config.js'
import { findConfig } from '../config/find.js'
import { type Ledger, type LedgerForReading, openLedger, openLedgerForReading } from '../ledger.js'
import { findLedger, type LedgerWishes } from './find-ledger.js'

interface Asked extends LedgerWishes {
  readonly waitMs: number
  /** who decides, given what the configuration names */
  readonly actor: (identity?: string) => Promise<string>
}

interface AskedToWrite extends Asked {
  readonly onWarning: (warning: { readonly message: string }) => void
}

/** Opens the ledger in use to write it, with its configuration. It is never made here: `init` does that. */
export async function openLedgerInUse({
  onWarning,
  ...asked
}: AskedToWrite): Promise<{ ledger: Ledger; config: LedgerConfig }> {
  const { location, options } = await chosen(asked)
  const ledger = await openLedger(location, { ...options, create: false, onWarning })
  return { ledger, config: options.config }
}

/** Opens the ledger in use to read it, with its configuration and without a trace. */
export async function openLedgerInUseForReading(
  asked: Asked,
): Promise<{ ledger: LedgerForReading; config: LedgerConfig }> {
  const { location, options } = await chosen(asked)
  return { ledger: await openLedgerForReading(location, options), config: options.config }
}

async function chosen({ waitMs, actor, ...wishes }: Asked) {
  const location = await findLedger(wishes)
  const config = await configInUse(wishes)
  return { location, options: { config, actor: await actor(config.identity), waitMs } }
}

// The parsers of YAML and of the schema cost a start 30 ms; without a configuration they are not needed.
async function configInUse(wishes: LedgerWishes): Promise<LedgerConfig> {
  if (findConfig(wishes) === undefined) return NO_CONFIG
  const { loadConfig } = await import('../config/load.js')
  return loadConfig(wishes)
}
