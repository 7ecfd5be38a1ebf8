import { cell, type Table } from '../columns.js'
import { changesOf, type Param, type Query, type Sql } from '../engine.js'

// Writing whole records: the only statements that are put together, from the lists of columns.

/** Columns of a row that are no field of its record. */
export type Extra = Readonly<Record<string, Param>>

export function insertion<T>(table: Table<T>, record: T, extra: Extra = {}): Query {
  const params: Param[] = []
  for (const column of table.columns) params.push(cell(record, column))
  const names = Object.keys(extra)
  for (const name of names) params.push(extra[name] ?? null)
  return { text: textOnce(`insert ${table.name} ${names.join()}`, () => insertText(table, names)), params }
}

function insertText<T>({ name, list }: Table<T>, extra: readonly string[]): string {
  const names = [list, ...extra].join(', ')
  const places = names.split(', ').map((_, index) => `$${index + 1}`)
  return `insert into ${name} (${names})\nvalues (${places.join(', ')})`
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
    if (Object.is(before[column.name], after[column.name])) continue
    const value = cell(after, column)
    if (column.kind !== 'plain' && value === cell(before, column)) continue
    names.push(column.quoted)
    params.push(value)
  }
  for (const name of Object.keys(extra)) {
    names.push(name)
    params.push(extra[name] ?? null)
  }
  if (names.length === 0) return null
  const held = Object.keys(where)
  for (const name of held) params.push(where[name] ?? null)
  const text = textOnce(`update ${table.name} ${names.join()} ${held.join()}`, () =>
    updateText(table.name, names, held),
  )
  return { text, params }
}

function updateText(table: string, sets: readonly string[], wheres: readonly string[]): string {
  const assign = sets.map((name, index) => `${name} = $${index + 1}`).join(', ')
  const hold = wheres.map((name, index) => `${name} = $${sets.length + index + 1}`).join(' and ')
  return `update ${table}\nset ${assign}\nwhere ${hold}`
}

const texts = new Map<string, string>()

/** Put together once for each table and set of columns. */
function textOnce(key: string, make: () => string): string {
  let text = texts.get(key)
  if (text === undefined) {
    text = make()
    texts.set(key, text)
  }
  return text
}
