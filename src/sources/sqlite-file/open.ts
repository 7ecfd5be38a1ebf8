import Database from 'better-sqlite3'
import { reasonOf, unreadable } from '../unreadable.js'
import { readHeader, type SqliteHeader } from './header.js'
import { isHeldByOthers, requireNotOpenHere } from './holders.js'
import { lookAt, requirePlainFile, sizeOf } from './look.js'
import { type Snapshot, takeSnapshot } from './snapshot.js'

/** A SQLite database that somebody else wrote, open for reading only. */
export interface SqliteFile {
  readonly db: Database.Database
  readonly header: SqliteHeader
  /** bytes of the main file and its `-wal`: no query can have more rows than fit in there */
  readonly bytes: number
  /** `left`: a process ended without closing; `missing`: WAL mode and no `-wal`, usual after a clean close */
  readonly wal: 'none' | 'left' | 'missing'
  /** `played_back`: a writer was killed inside a commit, and on a copy SQLite took that commit back */
  readonly journal: 'none' | 'played_back'
  /** another process has it open: this is one moment's view */
  readonly isLive: boolean
  /** false where the file changed while it was read */
  isStillCurrent(): boolean
  close(): void
}

/**
 * Opens without changing a byte of the original or anything beside it. Live: in place, where its `-shm` exists already.
 * In WAL mode and nobody there: through a snapshot in a temporary folder, because even a reading connection writes a
 * `-shm`. Everything else: in place. Throws `ledger_unreadable`.
 */
export function openSqliteFile(path: string, options: { readonly scratchDir?: string } = {}): SqliteFile {
  const looked = lookAt(path)
  requirePlainFile(looked)
  requireNotOpenHere(looked)
  const header = readHeader(looked)
  const walBytes = sizeOf(`${looked.path}-wal`) ?? 0
  const isLive = isHeldByOthers(looked.path, looked.stats)
  const wal = walBytes > 0 ? 'left' : header.isWal ? 'missing' : 'none'
  const hasJournal = Boolean(sizeOf(`${looked.path}-journal`))
  const journal = hasJournal && !isLive ? 'played_back' : 'none'
  const common = { header, bytes: looked.stats.size + walBytes, wal, journal, isLive } as const
  const isInPlace = isLive && (sizeOf(`${looked.path}-shm`) !== undefined || wal === 'none')
  if (!isInPlace && (wal !== 'none' || hasJournal))
    return { ...common, ...openSnapshot(path, looked.path, options) }
  const db = connect(path, looked.path, true)
  return { ...common, db, isStillCurrent: () => true, close: () => db.close() }
}

function openSnapshot(path: string, real: string, options: { readonly scratchDir?: string }) {
  // A rollback journal has to be played back before the database is whole: on a full copy, never on the original.
  const isWritable = Boolean(sizeOf(`${real}-journal`))
  const snapshot: Snapshot = takeSnapshot({ path: real, isWritable, ...options })
  try {
    const db = connect(path, snapshot.path, !isWritable)
    // The first read opens what SQLite needs; from there the open descriptors are enough, and a kill leaves nothing.
    snapshot.forget()
    const close = () => {
      db.close()
      snapshot.discard()
    }
    return { db, isStillCurrent: snapshot.isStillCurrent, close }
  } catch (error) {
    snapshot.discard()
    throw error
  }
}

// https://www.sqlite.org/security.html, "Untrusted SQLite Database Files".
const GUARDS = ['query_only = on', 'trusted_schema = off', 'cell_size_check = on', 'mmap_size = 0']

function connect(path: string, opened: string, readonly: boolean): Database.Database {
  let db: Database.Database | undefined
  try {
    db = new Database(opened, { readonly, fileMustExist: true, timeout: 2000 })
    db.defaultSafeIntegers(false)
    for (const guard of GUARDS) db.pragma(guard)
    db.prepare('select count(*) from sqlite_schema').get()
    return db
  } catch (cause) {
    db?.close()
    throw damaged(path, cause)
  }
}

/** What a failing SQLite call says about the file. */
export function damaged(path: string, cause: unknown) {
  const reason = reasonOf(cause)
  if (reason === 'SQLITE_BUSY' || reason === 'SQLITE_LOCKED')
    return unreadable(path, 'is locked by a writer', 'Try again in a moment; nothing was changed.', cause)
  return unreadable(
    path,
    `is damaged, or not whole (${reason})`,
    'Keep the file and its -wal as they are and read a copy from a backup; nothing was changed.',
    cause,
  )
}
