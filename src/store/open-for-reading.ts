import { parseLocation } from './location.js'
import { sqlReader } from './sql-store/reading.js'
import { openForReading } from './sqlite/reading.js'
import type { StoreReader } from './store.js'
import { DEFAULT_WAIT_MS, whichLedger } from './which-ledger.js'

export interface OpenStoreForReading {
  /** a path, a `file:` URL or a `postgresql://` URL */
  readonly url: string
  /** how long to wait for another process's lock before `busy`, milliseconds */
  readonly waitMs?: number
  /** a folder of this user for what has to lie beside a ledger that is no file */
  readonly stateFolder?: string
}

/**
 * Opens a ledger to read it, live, killed, copied or read-only, without a trace. A module of its own: what writes is
 * not loaded for looking. Throws as openForReading does.
 */
export async function openStoreForReading(options: OpenStoreForReading): Promise<StoreReader> {
  const location = parseLocation(options.url)
  if (location.engine === 'postgresql')
    return (await import('./postgres/open.js')).openPostgresForReading(options)
  const { path } = location
  const engine = await openForReading({ path, waitMs: options.waitMs ?? DEFAULT_WAIT_MS })
  try {
    const ledger = await whichLedger(engine, path)
    return sqlReader({ engine, ledger, location: path })
  } catch (error) {
    await engine.close()
    throw error
  }
}
