import type { Database, Statement } from 'better-sqlite3'
import { LedgerError } from '../core/errors.js'
import { drive, type Param, type Query, type Row, type Sql } from './engine.js'

/**
 * Runs SQL on an open better-sqlite3 connection, inside whatever transaction it is in. A caller's own
 * synchronous transaction can therefore hold ledger work too (the outbox).
 */
export function runSql<T>(connection: Database, sql: Sql<T>): T {
  return drive(sql, asked => answer(connection, asked))
}

/** Runs SQL on one unchanging view of the database and leaves nothing behind. */
export function snapshot<T>(connection: Database, work: () => Sql<T>): T {
  connection.exec('begin')
  try {
    return runSql(connection, work())
  } finally {
    if (connection.inTransaction) connection.exec('rollback')
  }
}

/** What SQLite finds wrong: pages, indexes where asked, and rows whose parent is gone. */
export function* damages(depth: 'quick' | 'whole'): Sql<readonly string[]> {
  const check = depth === 'quick' ? 'quick_check' : 'integrity_check'
  const pages = yield { text: `pragma ${check}`, params: [] }
  const parents = yield { text: 'pragma foreign_key_check', params: [] }
  return [
    ...pages.map(row => String(row[check])).filter(line => line !== 'ok'),
    ...parents.map(
      row => `a row of ${String(row.table)} refers to one of ${String(row.parent)} that is not there`,
    ),
  ]
}

function answer(connection: Database, asked: Query): readonly Row[] {
  const statement = prepared(connection, asked.text)
  const values = bindings(asked.params)
  if (statement.reader) return statement.all(values)
  statement.run(values)
  return []
}

const statements = new WeakMap<Database, Map<string, Statement<[Bindings], Row>>>()

/** Statements are kept for the life of their connection: preparing costs more than most of them run. */
function prepared(connection: Database, text: string): Statement<[Bindings], Row> {
  let known = statements.get(connection)
  if (!known) {
    known = new Map()
    statements.set(connection, known)
  }
  let statement = known.get(text)
  if (!statement) {
    statement = connection.prepare<[Bindings], Row>(text)
    known.set(text, statement)
  }
  return statement
}

type Bound = string | number | bigint | Buffer | null
type Bindings = Record<string, Bound>

/** better-sqlite3 binds `$1` by the name "1". */
export function bindings(params: readonly Param[]): Bindings {
  const named: Bindings = {}
  params.forEach((param, index) => {
    named[String(index + 1)] = bindable(param, index + 1)
  })
  return named
}

// A lone surrogate is stored as bytes that come back as U+FFFD, so a hash over it would never verify;
// NUL survives in SQLite (where length() lies) and is refused by PostgreSQL.
const UNSTORABLE = /[\p{Surrogate}\0]/u

function bindable(param: Param | undefined, position: number): Bound {
  switch (typeof param) {
    case 'string':
      if (UNSTORABLE.test(param)) throw unstorable(position, 'text with a NUL or half of a surrogate pair')
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
