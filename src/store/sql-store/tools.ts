import { number } from '../cells.js'
import { outlineList } from '../columns.js'
import { query, type Sql } from '../engine.js'
import { outlineOf } from '../rows.js'
import type { ToolSeen } from '../store.js'

/** Every tool there is an operation of, with its newest one. Reads all of history: for whoever asks about all tools. */
export function* tools(): Sql<ToolSeen[]> {
  const rows = yield* query(
    `select ${outlineList('o')}, g.operations, g.in_doubt
     from (
       select
         tool,
         max(seq) as newest,
         count(*) as operations,
         sum(case when status = 'unknown' or (status = 'prepared' and may_have_applied = 1) then 1 else 0 end) as in_doubt
       from ledger_operation
       group by tool
     ) as g
     join ledger_operation as o on o.seq = g.newest
     order by o.tool`,
  )
  return rows.map(row => ({
    newest: outlineOf(row),
    operations: number(row, 'operations'),
    in_doubt: number(row, 'in_doubt'),
  }))
}
