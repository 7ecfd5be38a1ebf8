import { statSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'
import type { Stamp } from '../core/time.js'
import type { Engine } from './engine.js'
import { hasNoPartitions, parseLocation } from './location.js'
import type { GivenRole } from './postgres/roles.js'
import { sqlStore } from './sql-store/index.js'
import { type Meta, moveHome } from './sql-store/meta.js'
import { homeOf, newLedgerFile } from './sqlite/new.js'
import { openForWriting } from './sqlite/open.js'
import type { Store } from './store.js'
import { DEFAULT_WAIT_MS, whichLedger } from './which-ledger.js'

export { openStoreForReading } from './open-for-reading.js'

export interface OpenStore {
  /** a path, a `file:` URL or a `postgresql://` URL */
  readonly url: string
  /** how long to wait for another process's lock before `busy`, milliseconds */
  readonly waitMs?: number
  readonly clock: () => Stamp
  /** it is this machine's own: where many machines write, the clock of the database stands in for it */
  readonly isMachineClock?: boolean
  /** a folder of this user for what has to lie beside a ledger that is no file */
  readonly stateFolder?: string
  /** the program and its version, as the record names it */
  readonly program: string
}

export interface CreateStore extends OpenStore {
  /** PostgreSQL: how many partitions the large tables are split into, 2 to 256; none unless named */
  readonly partitions?: number
}

/**
 * Opens an existing ledger to write it. A file that is not where this ledger was made (a copy, a restored backup)
 * begins a new incarnation: what was prepared before may have been sent and waits for a person. Throws as
 * openForWriting does.
 */
export async function openStore(options: OpenStore): Promise<Store> {
  const location = parseLocation(options.url)
  if (location.engine === 'postgresql') return (await postgres()).openPostgres(options)
  const { path } = location
  const engine = await openForWriting({ path, waitMs: options.waitMs ?? DEFAULT_WAIT_MS })
  try {
    const meta = await whichLedger(engine, path)
    const incarnation = await incarnationHere(engine, meta, { path, options })
    const ledger = { ledger_id: meta.ledger_id, incarnation }
    return sqlStore({ engine, ledger, location: path })
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** Makes an empty ledger. False: there is one already, and it was left as it is. */
export async function createStore(options: CreateStore): Promise<boolean> {
  const location = parseLocation(options.url)
  if (location.engine === 'postgresql') return (await postgres()).createPostgres(options)
  const { path } = location
  if (options.partitions !== undefined) throw hasNoPartitions(path)
  return newLedgerFile({ path, now: options.clock(), program: options.program })
}

/**
 * Lets the roles agent_ledger_reader, agent_ledger_writer and agent_ledger_operator use a ledger that is there, and makes
 * them where they are missing. @throws LedgerError usage for a file, whose permissions are the system's
 */
export async function grantRoles(options: OpenStore): Promise<readonly GivenRole[]> {
  const location = parseLocation(options.url)
  if (location.engine === 'postgresql') return (await postgres()).grantPostgres(options)
  throw new LedgerError('usage', `${location.path} is a file: it has no roles`, {
    path: location.path,
    hint: 'Give permissions with chmod and chown.',
  })
}

/** Nothing of PostgreSQL is loaded for a ledger in a file. */
function postgres() {
  return import('./postgres/open.js')
}

async function incarnationHere(
  engine: Engine,
  meta: Meta,
  { path, options }: { readonly path: string; readonly options: OpenStore },
): Promise<number> {
  const home = homeOf(statSync(path))
  if (home === meta.home) return meta.incarnation
  return engine.write(() => moveHome({ clock: options.clock, program: options.program, home }))
}
