import { tables } from '../migrations/0001-tables.js'

/** A table as it is copied: its columns but for computed ones, and the columns of its key. */
export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** the column that the database numbers by itself; null where there is none */
  readonly numbered: string | null
}

/** Every table but ledger_meta, each after those that its rows refer to, read from the text that makes them. */
export const TABLES: readonly Table[] = [...tables.matchAll(/create table (\w+) \(\n([\s\S]*?)\n\) strict/g)]
  .map(([, name = '', body = '']) => tableOf(name, body))
  .filter(({ name }) => name !== 'ledger_meta')

/** All that a fence stands on. */
export const FENCED: readonly string[] = ['ledger_meta', ...TABLES.map(({ name }) => name)]

function tableOf(name: string, body: string): Table {
  const lines = [...body.matchAll(/^ {2}"?(\w+)"? (?:integer|text|blob|real)\b(.*)$/gm)].map(
    ([, column = '', rest = '']) => ({ column, rest }),
  )
  const own = lines.find(({ rest }) => rest.startsWith(' primary key'))?.column
  const several = /^ {2}primary key \(([^)]+)\)/m.exec(body)?.[1]?.split(', ')
  return {
    name,
    columns: lines.filter(({ rest }) => !rest.includes(' generated always ')).map(({ column }) => column),
    key: several ?? (own === undefined ? [] : [own]),
    numbered: own === 'seq' || own === 'note_id' ? own : null,
  }
}

/** `end` is a word of SQL. */
export function columnList(columns: readonly string[]): string {
  return columns.map(column => `"${column}"`).join(', ')
}
