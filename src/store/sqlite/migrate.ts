import type { Database } from 'better-sqlite3'
import { MIGRATIONS, type Migration } from '../migrations/index.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { APPLICATION_ID, refuseNewer } from './header.js'

/**
 * Brings an open database up to `upTo` in one commit: after a kill it is at the old schema or at the new
 * one. The version is read again under the lock, for another process may have migrated meanwhile.
 * Returns the migrations applied, oldest first. Throws SQLITE_BUSY when another process holds the lock.
 */
export function migrate(database: Database, path: string, upTo = NEWEST_SCHEMA): readonly Migration[] {
  database.exec('begin immediate')
  try {
    const schema = schemaVersion(database)
    refuseNewer(path, schema, upTo)
    const due = MIGRATIONS.filter(migration => migration.version > schema && migration.version <= upTo)
    for (const migration of due) database.exec(migration.sql)
    if (due.length > 0) {
      database.pragma(`application_id = ${APPLICATION_ID}`)
      database.pragma(`user_version = ${upTo}`)
    }
    database.exec('commit')
    return due
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

export function schemaVersion(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }))
}
