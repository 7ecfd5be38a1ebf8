import { flag, text } from '../cells.js'
import { query, type Sql } from '../engine.js'

/**
 * Where the ledger lives: the cluster, the timeline of its history, the database and the schema. A restored dump lies in
 * other ones, a server that was promoted or brought back to an earlier moment is on another timeline: what was prepared
 * before may have been sent. A plain restart, and a crash, changes none of them. A copy of the files that is started
 * beside the original shows in nothing of this.
 */
export function* homeOf(schema: string): Sql<string> {
  const [row] = yield* query(
    `select
       has_function_privilege('pg_catalog.pg_control_system()', 'execute') as tells,
       left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
       d.oid::text as database,
       n.oid::text as schema
     from pg_database as d, pg_namespace as n
     where d.datname = current_database() and n.nspname = $1`,
    [schema],
  )
  if (row === undefined) throw new Error(`the schema ${schema} is gone`)
  const cluster = flag(row, 'tells') ? yield* clusterName() : UNTOLD
  return [cluster, text(row, 'timeline'), text(row, 'database'), text(row, 'schema')].join('/')
}

/** Not every server tells everybody which cluster it is. */
const UNTOLD = '-'

function* clusterName(): Sql<string> {
  const [row] = yield* query('select system_identifier::text as name from pg_control_system()')
  return row === undefined ? UNTOLD : text(row, 'name')
}

/** The same place, as far as both say. */
export function isSameHome(a: string, b: string): boolean {
  const [ours, theirs] = [a.split('/'), b.split('/')]
  return (
    ours.length === theirs.length &&
    ours.every((part, n) => part === theirs[n] || part === UNTOLD || theirs[n] === UNTOLD)
  )
}
