import { json, number } from '../cells.js'
import { query, type Sql } from '../engine.js'

/**
 * The number of the last event that was written in PostgreSQL, where numbers are left out and commits run side by side:
 * that of the last arrival from there. 0: there was none.
 */
export function* lastFromPostgres(): Sql<number> {
  const rows = yield* query(
    `select seq, body
     from ledger_event
     where subject = 'ledger' and type = 'arrived'
     order by n`,
  )
  const from = rows.filter(row => json<{ engine?: string }>(row, 'body').engine === 'postgresql')
  const last = from.at(-1)
  return last === undefined ? 0 : number(last, 'seq')
}
