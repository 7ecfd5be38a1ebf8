import { type Column, cell, type Table } from '../columns.js'
import { changesOf, type Param, type Query, type Sql } from '../engine.js'

// Writing whole records: the only statements that are put together, from the lists of columns.

/** Columns of a row that are no field of its record. */
export type Extra = Readonly<Record<string, Param>>

export function insertion<T>(table: Table<T>, record: T, extra: Extra = {}): Query {
  const values = table.columns.map(column => cell(record, column))
  const names = Object.keys(extra)
  for (const name of names) values.push(extra[name] ?? null)
  return { text: insertText(table.name, table.list, names), params: values }
}

const texts = new Map<string, string>()

/** Put together once for each table and set of columns. */
function insertText(table: string, list: string, extra: readonly string[]): string {
  const key = `${table} ${extra.join(' ')}`
  let text = texts.get(key)
  if (text === undefined) {
    const names = [list, ...extra].join(', ')
    const places = names.split(', ').map((_, index) => `$${index + 1}`)
    text = `insert into ${table} (${names})\nvalues (${places.join(', ')})`
    texts.set(key, text)
  }
  return text
}

export interface Change<T> {
  readonly before: T
  readonly after: T
  readonly extra?: Extra
  /** what the row must still be, beside its key: compare and set */
  readonly where: Extra
}

/** Writes the fields that differ. False: the row is no longer as `where` says, and nothing was written. */
export function* updateRecord<T>(table: Table<T>, change: Change<T>): Sql<boolean> {
  const writes = updateOf(table, change)
  return writes === null || changesOf(yield writes) === 1
}

/** The same as a query, for a list of them; null where nothing differs. */
export function updateOf<T>(table: Table<T>, { before, after, extra = {}, where }: Change<T>): Query | null {
  const names: string[] = []
  const params: Param[] = []
  for (const column of table.columns) {
    if (!differs(before, after, column)) continue
    names.push(column.quoted)
    params.push(cell(after, column))
  }
  for (const name of Object.keys(extra)) {
    names.push(name)
    params.push(extra[name] ?? null)
  }
  if (names.length === 0) return null
  params.push(...Object.values(where))
  return { text: updateText(table.name, names, Object.keys(where)), params }
}

function updateText(table: string, sets: readonly string[], wheres: readonly string[]): string {
  const key = `${table} ${sets.join(' ')} where ${wheres.join(' ')}`
  let text = texts.get(key)
  if (text === undefined) {
    const assign = sets.map((name, index) => `${name} = $${index + 1}`).join(', ')
    const hold = wheres.map((name, index) => `${name} = $${sets.length + index + 1}`).join(' and ')
    text = `update ${table}\nset ${assign}\nwhere ${hold}`
    texts.set(key, text)
  }
  return text
}

function differs<T>(before: T, after: T, column: Column<T>): boolean {
  if (Object.is(before[column.name], after[column.name])) return false
  return column.kind === 'plain' || cell(before, column) !== cell(after, column)
}
