import { statSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'
import type { Stamp } from '../core/time.js'
import type { Engine } from './engine.js'
import { type Location, parseLocation, shownLocation } from './location.js'
import { sqlStore } from './sql-store/index.js'
import { type Meta, moveHome, readMeta } from './sql-store/meta.js'
import { homeOf, newLedgerFile } from './sqlite-new.js'
import { openForWriting } from './sqlite-open.js'
import { openForReading } from './sqlite-reading.js'
import type { Store } from './store.js'

export interface OpenStore {
  /** a path, a `file:` URL or a `postgresql://` URL */
  readonly url: string
  /** how long to wait for another process's lock before `busy`, milliseconds */
  readonly waitMs?: number
  readonly clock: () => Stamp
  /** the program and its version, as the record names it */
  readonly program: string
}

export const DEFAULT_WAIT_MS = 10_000

/**
 * Opens an existing ledger to write it. A file that is not where this ledger was made (a copy, a restored backup)
 * begins a new incarnation: what was prepared before may have been sent and waits for a person. Throws as
 * openForWriting does.
 */
export async function openStore(options: OpenStore): Promise<Store> {
  const location = sqliteOnly(parseLocation(options.url))
  const { path } = location
  const engine = await openForWriting({ path, waitMs: options.waitMs ?? DEFAULT_WAIT_MS })
  try {
    const meta = await metaOf(engine, path)
    const incarnation = await incarnationHere(engine, meta, { path, options })
    const ledger = { ledger_id: meta.ledger_id, incarnation }
    return sqlStore({ engine, ledger, location: shownLocation(location) })
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Makes an empty ledger. False: there is one already, and it was left as it is. */
export function createStore(options: OpenStore): boolean {
  const { path } = sqliteOnly(parseLocation(options.url))
  return newLedgerFile({ path, now: options.clock(), program: options.program })
}

/** Opens a ledger to read it, live, killed, copied or read-only, without a trace. Its verbs that write reject. */
export async function openStoreForReading(options: Omit<OpenStore, 'clock' | 'program'>): Promise<Store> {
  const location = sqliteOnly(parseLocation(options.url))
  const { path } = location
  const engine = await openForReading({ path, waitMs: options.waitMs ?? DEFAULT_WAIT_MS })
  try {
    const { ledger_id, incarnation } = await metaOf(engine, path)
    return sqlStore({ engine, ledger: { ledger_id, incarnation }, location: shownLocation(location) })
  } catch (error) {
    await engine.close()
    throw error
  }
}

function sqliteOnly(location: Location): Extract<Location, { engine: 'sqlite' }> {
  if (location.engine === 'sqlite') return location
  throw new LedgerError(
    'usage',
    `${shownLocation(location)}: this version of agent-ledger keeps ledgers in SQLite files only`,
    { path: shownLocation(location), hint: 'Give the path of a file.' },
  )
}

async function metaOf(engine: Engine, path: string): Promise<Meta> {
  const meta = await engine.read(readMeta)
  if (meta) return meta
  throw new LedgerError('ledger_damaged', `${path} does not say which ledger it is (ledger_meta is empty)`, {
    path,
  })
}

async function incarnationHere(
  engine: Engine,
  meta: Meta,
  { path, options }: { readonly path: string; readonly options: OpenStore },
): Promise<number> {
  const home = homeOf(statSync(path))
  if (home === meta.home) return meta.incarnation
  return engine.write(() => moveHome({ now: options.clock(), program: options.program, home }))
}
