import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import type { Engine } from '../engine.js'
import { refuseUnsafeFilesystem } from '../filesystem.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { connectForWriting } from './connection.js'
import { explained } from './errors.js'
import { inspectFile, refuseNewer } from './header.js'
import { hold } from './held.js'
import { fileIdOf } from './in-place.js'
import { schemaVersion } from './migrate.js'
import { refuseForeignSchema } from './schema-check.js'
import { type Connection, sqliteEngine } from './sqlite.js'
import { untilFree } from './wait.js'

export interface OpenForWriting {
  readonly path: string
  /** how long to wait for another process's lock before `busy` */
  readonly waitMs: number
  /** another answer to "which file system is this on?", for tests */
  readonly typeOf?: (directory: string) => number | null
}

/**
 * Opens an existing ledger file to write it. Every check comes before the first thing that could change
 * the file: file system, header, then through SQLite the version, settings, schema number and each line of
 * the schema. Throws `ledger_missing`, `not_a_ledger`, `ledger_damaged`, `ledger_newer`, `ledger_older`,
 * `ledger_unreadable`, `ledger_unwritable`, `unsafe_filesystem` or `busy`.
 */
export function openForWriting(options: OpenForWriting): Promise<Engine> {
  return sqliteEngine({ ...options, connect: () => connectChecked(options) })
}

async function connectChecked(options: OpenForWriting): Promise<Connection> {
  const { path, typeOf } = options
  if (existsSync(path)) refuseUnsafeFilesystem(dirname(realpathSync(path)), typeOf)
  const { stats } = inspectFile(path, NEWEST_SCHEMA)
  const release = hold(stats)
  try {
    const database = await untilFree(options, () =>
      connectForWriting(path, found => refuseOtherSchema(found, path)),
    )
    return { database, file: fileIdOf(stats), close: () => closeAndRelease(database, release) }
  } catch (error) {
    release()
    throw explained(error, { path, doing: 'writing' })
  }
}

function refuseOtherSchema(database: Database, path: string): void {
  const schema = schemaVersion(database)
  refuseNewer(path, schema, NEWEST_SCHEMA)
  refuseForeignSchema(database, path, schema)
  if (schema === NEWEST_SCHEMA) return
  throw new LedgerError(
    'ledger_older',
    `${path} has schema ${schema}; this program writes schema ${NEWEST_SCHEMA}`,
    { path, facts: { schema, needed: NEWEST_SCHEMA } },
  )
}

function closeAndRelease(database: Database, release: () => void): void {
  try {
    database.close()
  } finally {
    release()
  }
}
