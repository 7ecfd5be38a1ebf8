import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, SqliteError, type Statement } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import { text, textOrNull } from '../cells.js'
import {
  changesRow,
  drive,
  driveInTurns,
  type Param,
  type Places,
  placesOf,
  type Query,
  type Row,
  type Sql,
} from '../engine.js'

/**
 * Runs SQL on an open better-sqlite3 connection, inside whatever transaction it is in. A caller's own
 * synchronous transaction can therefore hold ledger work too (the outbox).
 */
export function runSql<T>(connection: Database, sql: Sql<T>): T {
  return drive(sql, asked => answer(connection, asked))
}

/** The same in a commit of its own that may take minutes: the event loop gets the turns that the work yields. */
export function runSqlInTurns<T>(connection: Database, sql: Sql<T>): Promise<T> {
  return driveInTurns(sql, { answer: asked => answer(connection, asked), nextTurn })
}

/** Runs SQL on one unchanging view of the database and leaves nothing behind. */
export function snapshot<T>(connection: Database, work: () => Sql<T>): T {
  control(connection, 'begin')
  try {
    return runSql(connection, work())
  } finally {
    if (connection.inTransaction) control(connection, 'rollback')
  }
}

/** A statement that steers the transaction. Prepared like any other: "exec" would compile it each time. */
export function control(connection: Database, text: Control): void {
  prepared(connection, text).statement.run()
}

/** Otherwise than before: another connection has committed since. The own commits do not change it. */
export function dataVersion(connection: Database): number {
  const version = prepared(connection, 'pragma data_version').statement.get()
  return Array.isArray(version) ? Number(version[0]) : Number.NaN
}

export type Control =
  | 'begin'
  | 'begin immediate'
  | 'commit'
  | 'rollback'
  | 'savepoint member'
  | 'release member'
  | 'rollback to member'

/**
 * Writes the whole log back into the database file and syncs that. After an fsync that failed the kernel may call pages
 * clean that never reached the disk, so a later fsync of the log proves nothing of them
 * (https://www.usenix.org/conference/atc20/presentation/rebello); what is copied from it into another file does reach it.
 * Throws SQLITE_BUSY while a reader keeps some of it from being written back.
 */
export function writeBack(connection: Database): void {
  const [row] = connection.prepare<[], WrittenBack>('pragma wal_checkpoint(passive)').all()
  if (row !== undefined && row.busy === 0 && row.log === row.checkpointed) return
  throw new SqliteError('the log is not written back yet', 'SQLITE_BUSY')
}

interface WrittenBack {
  readonly busy: number
  /** pages in the log, and how many of them are in the database file */
  readonly log: number
  readonly checkpointed: number
}

/** What SQLite finds wrong: pages, indexes where asked, and rows whose parent is gone. */
export function* damages(depth: 'quick' | 'whole'): Sql<readonly string[]> {
  const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
  const pages = yield { text: `pragma ${check}`, params: [] }
  const parents = yield { text: 'pragma foreign_key_check', params: [] }
  return [
    ...pages.map(row => text(row, check)).filter(line => line !== 'ok'),
    ...parents.map(
      row => `a row of ${text(row, 'table')} refers to one of ${textOrNull(row, 'parent')} that is not there`,
    ),
  ]
}

function answer(connection: Database, { text, params }: Query): readonly Row[] {
  const { statement, order, places } = prepared(connection, text)
  const values: Bound[] = []
  for (const place of order) values.push(bindable(params[place], place + 1))
  if (places === null) return [changesRow(statement.run(...values).changes)]
  return statement.all(...values).map(cells => ({ cells, places }))
}

type Bound = string | number | bigint | Uint8Array | null

interface Prepared {
  readonly statement: Statement<Bound[], unknown[]>
  /** for each `?` the parameter that goes there, counted from 0 */
  readonly order: readonly number[]
  /** null: it gives no rows */
  readonly places: Places | null
}

const statements = new WeakMap<Database, Map<string, Prepared>>()

/** Statements are kept for the life of their connection: preparing costs more than most of them run. */
function prepared(connection: Database, text: string): Prepared {
  let known = statements.get(connection)
  if (!known) {
    known = new Map()
    statements.set(connection, known)
  }
  let found = known.get(text)
  if (!found) {
    found = prepare(connection, text)
    known.set(text, found)
  }
  return found
}

function prepare(connection: Database, text: string): Prepared {
  const { sql, order } = positional(text)
  const statement = connection.prepare<Bound[], unknown[]>(sql)
  if (!statement.reader) return { statement, order, places: null }
  const places = placesOf(statement.columns().map(({ name }) => name))
  // A caller's own connection may give whole numbers as BigInt; ours are all below 2^53.
  return { statement: statement.raw().safeIntegers(false), order, places }
}

/** The driver looks `$1` up by its name in an object; a `?` takes half the time. */
export function positional(text: string): { readonly sql: string; readonly order: readonly number[] } {
  const order: number[] = []
  const sql = text.replaceAll(/\$(\d+)/g, (_, place: string) => {
    order.push(Number(place) - 1)
    return '?'
  })
  return { sql, order }
}

// A lone surrogate is stored as bytes that come back as U+FFFD, so a hash over it would never verify;
// NUL survives in SQLite (where length() lies) and is refused by PostgreSQL.
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function bindable(param: Param | undefined, position: number): Bound {
  switch (typeof param) {
    case 'string':
      if (!isStorable(param)) throw unstorable(position, 'text with a NUL or half of a surrogate pair')
      return param
    case 'boolean':
      return param ? 1n : 0n
    case 'number':
      return numeric(param, position)
    case 'bigint':
      return param
    case 'object':
      return param
    default:
      throw unstorable(position, 'a value that is missing')
  }
}

/** The driver binds every number as REAL, which text columns would keep as "5.0": whole numbers go as integers. */
function numeric(param: number, position: number): number | bigint {
  if (Number.isSafeInteger(param)) return BigInt(param)
  if (Number.isInteger(param)) throw unstorable(position, 'a whole number beyond 2^53 (pass it as text)')
  if (!Number.isFinite(param)) throw unstorable(position, 'a number that is not finite')
  return param
}

function unstorable(position: number, what: string): LedgerError {
  return new LedgerError('invalid_input', `${what} cannot be stored (parameter ${position} of a query)`)
}
