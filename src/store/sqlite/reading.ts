import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import type { Engine, Sql } from '../engine.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { connectForReading } from './connection.js'
import { explained } from './errors.js'
import { refuseNewer } from './header.js'
import { schemaVersion } from './migrate.js'
import { locate, type Place } from './place.js'
import { damages, snapshot } from './run.js'
import { refuseForeignSchema } from './schema-check.js'
import { type LockWait, untilFree } from './wait.js'

export interface OpenForReading extends LockWait {
  /** another answer to "which file system is this on?", for tests */
  readonly typeOf?: (directory: string) => number | null
}

/** Beyond this many changes under one reading somebody plainly writes: then it is read in place. */
const MOST_ATTEMPTS = 4

/**
 * Opens a ledger to read it: live, killed, cleanly closed, copied, in a directory that may not be written.
 * Nothing is created, migrated, checkpointed or written, and what a killed writer left stays byte for byte
 * (place.ts says how). Throws `ledger_missing`, `not_a_ledger`, `ledger_damaged`, `ledger_newer`,
 * `ledger_unreadable`, `unsafe_filesystem` or `busy`.
 */
export async function openForReading(options: OpenForReading): Promise<Engine> {
  const { path } = options
  let opened: Opened | null = await open(options, false)

  return {
    kind: 'sqlite',
    read,
    write: () => Promise.reject(readOnlyError(path)),
    within: () => {
      throw readOnlyError(path)
    },
    inside: () => Promise.reject(readOnlyError(path)),
    clockOn: async machine => machine,
    damages: depth => read(() => damages(depth)),
    close: async () => drop(),
  }

  async function read<T>(work: () => Sql<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      const current = await currentOne(attempts >= MOST_ATTEMPTS)
      const result = await attempt(current, options, work)
      if (result.isDone) return result.value
      drop()
    }
  }

  async function currentOne(isForcedInPlace: boolean): Promise<Opened> {
    if (opened && !opened.place.isUnchanged()) drop()
    opened ??= await open(options, isForcedInPlace)
    return opened
  }

  function drop(): void {
    opened?.close()
    opened = null
  }
}

interface Opened {
  readonly database: Database
  readonly place: Place
  readonly close: () => void
}

async function open(options: OpenForReading, isForcedInPlace: boolean): Promise<Opened> {
  for (let attempts = 1; ; attempts++) {
    const place = locate({ ...options, inPlace: isForcedInPlace || attempts >= MOST_ATTEMPTS })
    if (place === 'changing') {
      // Longer than the coarsest clock tick (10 ms) by which Linux stamps the time of a change.
      await sleep(20)
      continue
    }
    try {
      const database = await untilFree(options, () => connectChecked(place, options.path))
      place.forget()
      return { database, place, close: () => closeAll(database, place) }
    } catch (error) {
      place.release()
      if (place.isUnchanged()) throw explained(error, { path: options.path, doing: 'reading' })
    }
  }
}

function connectChecked(place: Place, path: string): Database {
  const database = connectForReading(place.file)
  try {
    refuseUnreadableSchema(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Reads the schema before this program's too: the one before the newest is still understood. */
function refuseUnreadableSchema(database: Database, path: string): void {
  const schema = schemaVersion(database)
  refuseNewer(path, schema, NEWEST_SCHEMA)
  refuseForeignSchema(database, path, schema)
  if (schema >= Math.max(1, NEWEST_SCHEMA - 1)) return
  throw new LedgerError('ledger_older', `${path} has schema ${schema}, too old to read with this program`, {
    path,
    facts: { schema, needed: NEWEST_SCHEMA - 1 },
  })
}

type Attempted<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false }

/** A reading counts only if the files did not change under it. */
async function attempt<T>(
  opened: Opened,
  options: OpenForReading,
  work: () => Sql<T>,
): Promise<Attempted<T>> {
  try {
    const value = await untilFree(options, () => snapshot(opened.database, work))
    return opened.place.isUnchanged() ? { isDone: true, value } : { isDone: false }
  } catch (error) {
    if (opened.place.isUnchanged()) throw explained(error, { path: options.path, doing: 'reading' })
    return { isDone: false }
  }
}

function closeAll(database: Database, place: Place): void {
  try {
    database.close()
  } finally {
    place.release()
  }
}

function readOnlyError(path: string): LedgerError {
  return new LedgerError('ledger_unwritable', `${path} was opened for reading`, {
    path,
    hint: 'This is a bug: a reading command tried to write.',
    facts: { commit: 'none' },
  })
}
