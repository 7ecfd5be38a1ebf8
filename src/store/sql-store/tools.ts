import { number } from '../cells.js'
import { outlineList } from '../columns.js'
import { query, type Sql } from '../engine.js'
import { outlineOf } from '../rows.js'
import type { ToolSeen } from '../store.js'

/**
 * Every tool there is an operation of, with its newest one. The names are found by one step of an index each, and what
 * is counted is what is open: settled history costs nothing, however long it is.
 */
export function* tools(): Sql<ToolSeen[]> {
  const rows = yield* query(
    `with recursive named (tool) as (
       select min(tool) from ledger_operation
       union all
       select (select min(o.tool) from ledger_operation as o where o.tool > named.tool)
       from named
       where named.tool is not null
     ),
     doubted (tool, in_doubt) as (
       select tool, count(*)
       from (
         select tool from ledger_operation indexed by operation_unknown where status = 'unknown'
         union all
         select tool
         from ledger_operation indexed by operation_prepared_in_doubt
         where status = 'prepared' and may_have_applied = 1
       ) as doubt
       group by tool
     )
     select ${outlineList('o')}, coalesce(d.in_doubt, 0) as in_doubt
     from named
     join ledger_operation as o on o.seq = (select max(n.seq) from ledger_operation as n where n.tool = named.tool)
     left join doubted as d on d.tool = named.tool
     order by named.tool`,
  )
  return rows.map(row => ({ newest: outlineOf(row), in_doubt: number(row, 'in_doubt') }))
}
