import { type ErrorCode, isLedgerError, LedgerError } from '../../core/errors.js'
import { WAS_MOVED } from '../moving/fence-lines.js'

/** The result code of an error that SQLite gave ("SQLITE_BUSY", "SQLITE_IOERR_FSYNC"), else null. */
export function sqliteCode(error: unknown): string | null {
  const given = error instanceof Error && error.name === 'SqliteError' && 'code' in error
  return given && typeof error.code === 'string' ? error.code : null
}

/** Someone else holds the lock for now: worth another try. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && /^SQLITE_(BUSY|LOCKED|PROTOCOL)(_|$)/.test(code)
}

/** A failure of the machine below rather than of the statement: the connection is not to be used again. */
export function isFaultBelow(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== null && FAULTS.some(fault => fault.codes.test(code))
}

/** The disk answered with an error: what was written before it may be in memory alone. A full disk is none. */
export function isDiskError(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_IOERR') === true
}

/** Says which ledger file a failure of SQLite concerns; any other error passes through as it is. */
export function explained(error: unknown, context: FaultContext): unknown {
  const code = sqliteCode(error)
  if (code === null || isLedgerError(error)) return error
  const fault = isMoved(error) ? MOVED : FAULTS.find(row => row.codes.test(code))
  if (!fault) return error
  return new LedgerError(fault[context.doing], `${context.path}: ${fault.says} (${code})`, {
    path: context.path,
    cause: error,
    ...(context.facts ? { facts: context.facts } : {}),
  })
}

export interface FaultContext {
  readonly path: string
  readonly doing: 'reading' | 'writing'
  readonly facts?: Readonly<Record<string, unknown>>
}

interface Fault {
  readonly codes: RegExp
  readonly says: string
  readonly reading: ErrorCode
  readonly writing: ErrorCode
}

const MOVED: Fault = {
  codes: /^SQLITE_CONSTRAINT_TRIGGER$/,
  says: 'it was moved elsewhere while this program had it open, and nothing was written',
  reading: 'ledger_unreadable',
  writing: 'ledger_unwritable',
}

function isMoved(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(WAS_MOVED)
}

/** Result codes: https://www.sqlite.org/rescode.html */
const FAULTS: readonly Fault[] = [
  {
    codes: /^SQLITE_NOTADB$/,
    says: 'this is not an SQLite database',
    reading: 'not_a_ledger',
    writing: 'not_a_ledger',
  },
  {
    codes: /^SQLITE_(CORRUPT(_\w+)?|IOERR_SHORT_READ|IOERR_DATA|IOERR_CORRUPTFS)$/,
    says: 'the file is damaged',
    reading: 'ledger_damaged',
    writing: 'ledger_damaged',
  },
  {
    codes: /^SQLITE_FULL$/,
    says: 'the disk is full',
    reading: 'ledger_unreadable',
    writing: 'ledger_unwritable',
  },
  {
    codes: /^SQLITE_READONLY(_\w+)?$/,
    says: 'the file or its directory may not be written',
    reading: 'ledger_unreadable',
    writing: 'ledger_unwritable',
  },
  {
    codes: /^SQLITE_(CANTOPEN|PERM|AUTH)(_\w+)?$/,
    says: 'the file cannot be opened',
    reading: 'ledger_unreadable',
    writing: 'ledger_unwritable',
  },
  {
    codes: /^SQLITE_(IOERR(_\w+)?|NOMEM|NOLFS)$/,
    says: 'the disk answered with an error',
    reading: 'ledger_unreadable',
    writing: 'ledger_unwritable',
  },
]
