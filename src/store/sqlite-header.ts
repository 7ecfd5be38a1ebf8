import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { LedgerError } from '../core/errors.js'
import { isHeldHere } from './sqlite-held.js'

/** "ALDG": marks a file as a ledger (https://www.sqlite.org/fileformat.html 1.3.15). */
export const APPLICATION_ID = 0x414c4447

/**
 * Looks at a file before SQLite does: is it there, a plain file, an SQLite database, ours, and of a
 * schema we know? Opening a FIFO would hang and a foreign database must not even be locked.
 */
export function inspectFile(path: string, newestSchema: number): Stats {
  const stats = plainFile(path)
  // Closing any descriptor of a file drops this process's POSIX locks on it, and with them an
  // acknowledged commit (https://www.sqlite.org/howtocorrupt.html 2.2): never read a file we hold open.
  if (!isHeldHere(stats)) checkHeader(path, stats)
  return stats

  function checkHeader(file: string, found: Stats): void {
    const header = readHeader(file)
    if (found.size === 0) throw notLedger(file, 'the file is empty')
    if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
      throw notLedger(file, 'this is not an SQLite database')
    }
    if (header.length < 100) throw damaged(file, `the file ends inside its header (${header.length} bytes)`)
    const application = header.readUInt32BE(68)
    if (application !== APPLICATION_ID) throw notLedger(file, foreign(application))
    refuseNewer(file, header.readUInt32BE(60), newestSchema)
  }
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
