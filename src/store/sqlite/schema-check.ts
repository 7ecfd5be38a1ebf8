import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import { schemaText } from '../migrations/schemas.js'
import { isFence } from '../moving/fence-lines.js'

/**
 * Refuses a file whose schema is not, line by line, the one its number stands for. A trigger or a view in a
 * file that we did not make would run with our statements: a table replaced by an endless recursive view
 * passed every other check and hung its reader (https://www.sqlite.org/security.html).
 */
export function refuseForeignSchema(database: Database, path: string, version: number): void {
  const found = schemaLines(database).filter(line => !isFence(line))
  const known = schemaText(version)
  if (known === undefined || linesText(found) === known) return
  const expected: readonly SchemaLine[] = JSON.parse(known)
  const extra = found.find(line => !expected.some(other => isSame(line, other)))
  if (extra)
    throw differs(path, `the ${extra.type} "${extra.name}" is not of a ledger with schema ${version}`)
  const missing = expected.find(line => !found.some(other => isSame(line, other)))
  if (missing) throw differs(path, `the ${missing.type} "${missing.name}" is missing`)
}

/** One object of a database as its own list has it (https://www.sqlite.org/schematab.html). */
export interface SchemaLine {
  readonly type: string
  readonly name: string
  readonly table: string
  /** null for the indexes that SQLite makes for a unique column by itself */
  readonly sql: string | null
}

/** The lines as schemas.ts keeps them. */
export function linesText(lines: readonly SchemaLine[]): string {
  return JSON.stringify(lines)
}

/**
 * All that our statements can meet: what stands on our tables or bears their prefix, and every view. An application
 * may keep tables of its own beside them (the outbox); their indexes and triggers run with its statements alone.
 * Left out are the statistics, which ANALYZE adds in its own two tables.
 */
export function schemaLines(database: Database): readonly SchemaLine[] {
  return database
    .prepare<[], SchemaLine>(
      `select type, name, tbl_name as "table", sql
       from sqlite_schema
       where (lower(tbl_name) glob 'ledger_*' or lower(name) glob 'ledger_*' or type = 'view')
       and not (type = 'table' and sql in (
         'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
         'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)'
       ))
       order by type, name`,
    )
    .all()
}

function isSame(a: SchemaLine, b: SchemaLine): boolean {
  return a.type === b.type && a.name === b.name && a.table === b.table && a.sql === b.sql
}

function differs(path: string, what: string): LedgerError {
  return new LedgerError('ledger_damaged', `${path} was changed by another program: ${what}`, {
    path,
    hint: 'Nothing was read or written. Keep the file as it is and restore a backup, or ask who changed it.',
  })
}
