import { text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { schemaDifferences } from './check.js'
import { partitionsIn } from './layout.js'

/** What stands in the catalogue against the ledger; with `whole` also rows whose parent is gone. The server keeps its pages itself. */
export function* damages(schema: string, depth: 'quick' | 'whole'): Sql<readonly string[]> {
  const differences = yield* schemaDifferences(schema)
  const loose = yield* query(
    `select c.conname as name, t.relname as on_table
     from pg_constraint as c
     join pg_class as t on t.oid = c.conrelid
     join pg_namespace as n on n.oid = t.relnamespace
     where n.nspname = $1 and t.relname like 'ledger\\_%' and not c.convalidated
     order by c.conname`,
    [schema],
  )
  const isSplit = (yield* partitionsIn(schema)) !== null
  const parents = depth === 'whole' ? yield* query(isSplit ? `${GONE}\nunion all\n${GONE_KEYS}` : GONE) : []
  return [
    ...differences,
    ...loose.map(
      row => `the rule ${text(row, 'name')} of ${text(row, 'on_table')} is not held to by every row`,
    ),
    ...parents.map(
      row => `a row of ${text(row, 'child')} refers to one of ${text(row, 'parent')} that is not there`,
    ),
  ]
}

// A restored dump or a trigger that was switched off can leave such rows, which no foreign key lets in.
const GONE = `
select distinct 'ledger_operation' as child, 'ledger_task' as parent
from ledger_operation as o
where not exists (select 1 from ledger_task as t where t.task_id = o.task_id)
union all
select distinct 'ledger_attempt', 'ledger_operation'
from ledger_attempt as a
where not exists (select 1 from ledger_operation as o where o.operation_id = a.operation_id)
union all
select distinct 'ledger_evidence', 'ledger_operation'
from ledger_evidence as e
where not exists (select 1 from ledger_operation as o where o.operation_id = e.operation_id)`

const GONE_KEYS = `
select distinct 'ledger_operation', 'ledger_key'
from ledger_operation as o
where not exists (
  select 1
  from ledger_key as k
  where k.key_scope = o.key_scope and k.idempotency_key = o.idempotency_key and k.operation_id = o.operation_id
)`
