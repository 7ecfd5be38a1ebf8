import type { ImportWarning } from '../../core/imported.js'
import { damaged, type SqliteFile } from '../sqlite-file/open.js'
import type { CellRow } from './cells.js'
import { rowsOf } from './tables.js'

export interface ById {
  /** quoted */
  readonly table: string
  /** what to select, as it stands in the statement */
  readonly columns: string
  /** names of the columns that tell one row from all others */
  readonly id: readonly string[]
}

export interface RowFound {
  readonly row: CellRow
  /** the row before has the same id: no program that keeps ids wrote both */
  readonly isRepeated: boolean
}

/**
 * All rows of a table, in the order of their ids, which SQLite takes from an index. A damaged index names rows twice, out of
 * order, or not at all, and a row that is left out may be the one that is in doubt: so the order is checked, and the rows are
 * counted in the table itself. Throws `ledger_unreadable` naming the path where the two do not fit.
 */
export function* rowsById(
  path: string,
  opened: SqliteFile,
  { table, columns, id }: ById,
): Generator<RowFound> {
  const keys = id.map((name, n) => `cast(${name} as blob) as key_${n}, typeof(${name}) as type_${n}`)
  // the order of the bytes, whatever the columns say of theirs: so it can be checked
  const order = id.map(name => `${name} collate binary`)
  const rows = rowsOf(
    path,
    opened,
    `select ${columns}, ${keys.join(', ')}
     from ${table}
     order by ${order.join(', ')}`,
  )
  let counted: number | undefined
  let read = 0
  let before: readonly Buffer[] | null = null
  for (const row of rows) {
    // while the rows are read: the same moment of a file that is being written to
    counted ??= countOf(path, opened, table)
    read += 1
    const key = keyOf(row, id.length)
    const order = before === null || key === null ? 1 : compare(key, before)
    if (order < 0) throw damaged(path, 'its index is not in order')
    if (key !== null) before = key
    yield { row, isRepeated: order === 0 }
  }
  if (read !== (counted ?? countOf(path, opened, table)))
    throw damaged(path, 'its index does not name the rows of its table')
}

export function repeatedId(where: string): ImportWarning {
  return {
    record: 'warning',
    code: 'repeated_id',
    message: 'another row has the same id: only the first is taken',
    where,
  }
}

/** Null where a part of it is no text: SQLite puts those elsewhere, and no reader takes them. */
function keyOf(row: CellRow, length: number): readonly Buffer[] | null {
  const parts: Buffer[] = []
  for (let n = 0; n < length; n++) {
    const part = row[`key_${n}`]
    if (row[`type_${n}`] !== 'text' || !Buffer.isBuffer(part)) return null
    parts.push(part)
  }
  return parts
}

function compare(one: readonly Buffer[], other: readonly Buffer[]): number {
  for (const [n, part] of one.entries()) {
    const order = Buffer.compare(part, other[n] ?? Buffer.alloc(0))
    if (order !== 0) return order
  }
  return 0
}

function countOf(path: string, { db }: SqliteFile, table: string): number {
  try {
    const found = db.prepare<[], { n: number }>(`select count(*) as n from ${table} not indexed`).get()
    return found?.n ?? 0
  } catch (cause) {
    throw damaged(path, cause)
  }
}
