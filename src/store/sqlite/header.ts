import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { LedgerError } from '../../core/errors.js'
import { isHeldHere } from './held.js'

/** "ALDG": marks a file as a ledger (https://www.sqlite.org/fileformat.html 1.3.15). */
export const APPLICATION_ID = 0x414c4447

/**
 * Looks at a file before SQLite does: is it there, a plain file, an SQLite database, ours, and of a
 * schema we know? Opening a FIFO would hang and a foreign database must not even be locked.
 */
export function inspectFile(path: string, newestSchema: number): Inspected {
  const stats = plainFile(path)
  // Closing any descriptor of a file drops this process's POSIX locks on it, and with them an
  // acknowledged commit (https://www.sqlite.org/howtocorrupt.html 2.2): never read a file we hold open.
  if (isHeldHere(stats)) return { stats, isWal: true }
  return { stats, isWal: checkHeader(path, stats, newestSchema) }
}

export interface Inspected {
  readonly stats: Stats
  /** false for a file in rollback mode, as VACUUM INTO leaves it: reading it needs no files beside it */
  readonly isWal: boolean
}

/** Field offsets: https://www.sqlite.org/fileformat.html 1.3. */
function checkHeader(path: string, stats: Stats, newestSchema: number): boolean {
  if (stats.size === 0) throw notLedger(path, 'the file is empty')
  const header = readHeader(path)
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw notLedger(path, 'this is not an SQLite database')
  }
  if (header.length < 100) throw damaged(path, `the file ends inside its header (${header.length} bytes)`)
  const application = header.readUInt32BE(68)
  if (application !== APPLICATION_ID) throw notLedger(path, foreign(application))
  refuseNewer(path, header.readUInt32BE(60), newestSchema)
  refuseTruncated(path, header, stats)
  return header.readUInt8(18) === 2
}

/** Without a -wal the file must hold every page that its header counts; with one, the -wal may hold the rest. */
function refuseTruncated(path: string, header: Buffer, stats: Stats): void {
  if ((statSync(`${realpathSync(path)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const declared = header.readUInt16BE(16)
  const pageSize = declared === 1 ? 65_536 : declared
  const needed = header.readUInt32BE(28) * pageSize
  if (stats.size >= needed) return
  throw damaged(path, `the file has ${stats.size} bytes and its header counts ${needed}: the end is missing`)
}

/** Refuses a schema newer than this program's; asked again under the lock, since a -wal may say more. */
export function refuseNewer(path: string, schema: number, newestSchema: number): void {
  if (schema <= newestSchema) return
  throw new LedgerError(
    'ledger_newer',
    `${path} has schema ${schema}; this program knows up to ${newestSchema}`,
    { path, facts: { schema, newest_known: newestSchema } },
  )
}

function plainFile(path: string): Stats {
  let stats: Stats
  try {
    stats = statSync(path)
  } catch (error) {
    throw cannotLook(path, error)
  }
  if (stats.isFile()) return stats
  const kind = stats.isDirectory() ? 'a directory' : stats.isFIFO() ? 'a named pipe' : 'not a plain file'
  throw new LedgerError('not_a_ledger', `${path} is ${kind}, not a ledger`, { path })
}

function cannotLook(path: string, error: unknown): LedgerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') {
    return new LedgerError('ledger_missing', `there is no ledger at ${path}`, { path, cause: error })
  }
  return new LedgerError('ledger_unreadable', `${path} cannot be looked at (${code})`, { path, cause: error })
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100)
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    throw cannotLook(path, error)
  }
  try {
    return header.subarray(0, readSync(file, header, 0, header.length, 0))
  } catch (error) {
    throw cannotLook(path, error)
  } finally {
    closeSync(file)
  }
}

function foreign(application: number): string {
  if (application === 0) return 'this SQLite database belongs to another program'
  return `this SQLite database belongs to another program (application id 0x${application.toString(16)})`
}

function notLedger(path: string, why: string): LedgerError {
  return new LedgerError('not_a_ledger', `${path} is not a ledger: ${why}`, { path })
}

function damaged(path: string, why: string): LedgerError {
  return new LedgerError('ledger_damaged', `${path}: ${why}`, { path })
}
