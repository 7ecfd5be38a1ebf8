import { number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import type { OpenCounts } from '../store.js'

/** Counts of what is open. Each reads an index of just that, so settled history costs nothing. */
export function* counts(now: number): Sql<OpenCounts> {
  const [row] = yield* query(
    `select
       (select count(*) from ledger_operation indexed by operation_unknown where status = 'unknown') as unknown,
       (select count(*) from ledger_operation indexed by operation_in_flight where status = 'in_flight') as in_flight,
       (
         select count(*)
         from ledger_operation indexed by operation_prepared_in_doubt
         where status = 'prepared' and may_have_applied = 1
       ) as prepared_in_doubt,
       (
         select count(*)
         from ledger_operation indexed by operation_prepared_waiting
         where status = 'prepared' and may_have_applied = 0
       ) as prepared_waiting,
       (
         select count(*)
         from ledger_operation indexed by operation_flagged
         where is_flagged = 1 and json_extract(flags, '$.duplicates') is not null
       ) as duplicates,
       (select count(*) from ledger_claim where until > $1) as claims,
       (select count(*) from ledger_task indexed by task_open where closed_at is null) as tasks_open,
       (
         select count(*)
         from ledger_task indexed by task_taken_over
         where taken_over_by is not null
       ) as tasks_taken_over`,
    [now],
  )
  if (!row) throw new Error('a query without a table gives one row')
  return {
    unknown: number(row, 'unknown'),
    in_flight: number(row, 'in_flight'),
    prepared: number(row, 'prepared_in_doubt') + number(row, 'prepared_waiting'),
    prepared_in_doubt: number(row, 'prepared_in_doubt'),
    duplicates: number(row, 'duplicates'),
    claims: number(row, 'claims'),
    tasks_open: number(row, 'tasks_open'),
    tasks_taken_over: number(row, 'tasks_taken_over'),
  }
}

/** Owners of the leases now held, each once. */
export function* leaseOwners(): Sql<string[]> {
  const rows = yield* query(
    `select distinct lease_owner
     from ledger_operation indexed by operation_in_flight
     where status = 'in_flight' and lease_owner is not null
     order by lease_owner`,
  )
  return rows.map(row => text(row, 'lease_owner'))
}
