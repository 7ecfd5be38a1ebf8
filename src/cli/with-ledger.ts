import type { LedgerConfig } from '../config/config.js'
import type { Ledger, LedgerForReading } from '../ledger.js'
import { alsoMasking, type Deps } from './deps.js'
import { findLedger } from './find-ledger.js'

/** An open ledger, and the dependencies that mask what its configuration names. */
export interface Opened<L = Ledger> {
  readonly ledger: L
  readonly deps: Deps
  /** who decides, as the record keeps it */
  readonly actor: string
}

/**
 * Opens the ledger in use to write it and closes it whatever happens. It is never made here.
 * @throws LedgerError as findLedger, loadConfig and openLedger do
 */
export async function withLedger<T>(deps: Deps, work: (opened: Opened) => Promise<T>): Promise<T> {
  const { openLedger } = await import('../ledger.js')
  return opened(deps, work, (location, options, masked) =>
    openLedger(location, {
      ...options,
      create: false,
      onWarning: ({ message }) => void masked.say(masked.show(message)),
    }),
  )
}

/** The same to read it, without a trace. */
export async function withLedgerForReading<T>(
  deps: Deps,
  work: (opened: Opened<LedgerForReading>) => Promise<T>,
): Promise<T> {
  const { openLedgerForReading } = await import('../ledger.js')
  return opened(deps, work, openLedgerForReading)
}

interface Options {
  readonly actor: string
  readonly config: LedgerConfig
  readonly waitMs: number
}

async function opened<L extends { close(): Promise<void> }, T>(
  deps: Deps,
  work: (opened: Opened<L>) => Promise<T>,
  open: (location: string, options: Options, masked: Deps) => Promise<L>,
): Promise<T> {
  const { loadConfig } = await import('../config/load.js')
  const { io, global, waitMs } = deps
  const location = await findLedger({
    ledger: global.ledger,
    config: global.config,
    env: io.env,
    cwd: io.cwd,
  })
  const config = loadConfig({ config: global.config, cwd: io.cwd })
  const masked = alsoMasking(deps, config.redact)
  const actor = deps.actor(config.identity)
  const ledger = await open(location, { actor, config, waitMs }, masked)
  try {
    return await work({ ledger, deps: masked, actor })
  } finally {
    await ledger.close()
  }
}
