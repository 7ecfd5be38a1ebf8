import { type Column, cell, type Table } from '../columns.js'
import { type Param, query, type Row, type Sql } from '../engine.js'

// Writing whole records: the only statements that are put together, from the lists of columns.

/** Columns of a row that are no field of its record. */
export type Extra = Readonly<Record<string, Param>>

export function* insertRecord<T>(table: Table<T>, record: T, extra: Extra = {}): Sql<void> {
  const names = [table.list, ...Object.keys(extra)].join(', ')
  const values = [...table.columns.map(column => cell(record, column)), ...Object.values(extra)]
  const places = values.map((_, index) => `$${index + 1}`).join(', ')
  yield* query(`insert into ${table.name} (${names})\nvalues (${places})`, values)
}

export interface Change<T> {
  readonly before: T
  readonly after: T
  readonly extra?: Extra
  /** what the row must still be, beside its key: compare and set */
  readonly where: Extra
}

/** Writes the fields that differ. False: the row is no longer as `where` says, and nothing was written. */
export function* updateRecord<T>(
  table: Table<T>,
  { before, after, extra = {}, where }: Change<T>,
): Sql<boolean> {
  const changed = table.columns.filter(column => differs(before, after, column))
  const sets: [string, Param][] = changed.map(column => [column.quoted, cell(after, column)])
  sets.push(...Object.entries(extra))
  if (sets.length === 0) return true
  const wheres = Object.entries(where)
  const assign = sets.map(([name], index) => `${name} = $${index + 1}`).join(', ')
  const hold = wheres.map(([name], index) => `${name} = $${sets.length + index + 1}`).join(' and ')
  const text = `update ${table.name}\nset ${assign}\nwhere ${hold}\nreturning 1 as one`
  const rows: readonly Row[] = yield* query(
    text,
    [...sets, ...wheres].map(([, value]) => value),
  )
  return rows.length === 1
}

function differs<T>(before: T, after: T, column: Column<T>): boolean {
  if (Object.is(before[column.name], after[column.name])) return false
  return column.kind === 'plain' || cell(before, column) !== cell(after, column)
}
