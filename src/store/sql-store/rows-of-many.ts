import { text } from '../cells.js'
import { query, type Row, type Sql } from '../engine.js'

/** The rows of many operations or tasks, for one journey to a server instead of one for each. */
export interface RowsOfMany {
  /** in the order of the query; none where it gave none */
  of(id: string): readonly Row[]
}

/** `asked` names the ids as `in (select value from json_each($1))`, and gives whose each row is as `of_id`. */
export function* rowsOfMany(asked: string, ids: readonly string[]): Sql<RowsOfMany> {
  const rows = yield* query(asked, [JSON.stringify(ids)])
  const found = new Map<string, Row[]>()
  for (const row of rows) {
    const id = text(row, 'of_id')
    const known = found.get(id)
    if (known === undefined) found.set(id, [row])
    else known.push(row)
  }
  return { of: id => found.get(id) ?? [] }
}
