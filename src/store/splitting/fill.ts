import { LedgerError } from '../../core/errors.js'
import { json, jsonOrNull, number } from '../cells.js'
import { changesOf, type Engine, query, type Sql } from '../engine.js'
import { columnList, TABLES, type Table } from '../moving/tables.js'
import { quoted } from '../postgres/dialect.js'
import { columnsOf } from './follow.js'
import { inShadow, SPLIT, shadowOf } from './names.js'

/** How far the new tables are. */
export interface Progress {
  readonly partitions: number
  /** null: nothing was copied yet */
  readonly table: string | null
  /** the key of the last row of it that was copied */
  readonly after: readonly (string | number)[] | null
  readonly rows: number
}

/** Rows of one commit: some tenths of a second, in which no writer waits for it. */
const BATCH = 2_000

/** null: no split is under way */
export function* progressIn(schema: string): Sql<Progress | null> {
  const [there] = yield* query(
    `select count(*) as n
     from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'progress'`,
    [shadowOf(schema)],
  )
  if (there === undefined || number(there, 'n') === 0) return null
  const [row] = yield* query(`select said from ${quoted(shadowOf(schema))}.progress where one = 1`)
  return row === undefined ? null : json<Progress>(row, 'said')
}

/** Copies what is missing, batch by batch; rows that writers added or changed meanwhile are there already. */
export async function fillTables(
  engine: Engine,
  schema: string,
  begun: Progress,
  { onRows, signal }: { readonly onRows?: (rows: number) => void; readonly signal?: AbortSignal },
): Promise<Progress> {
  let at = begun
  const tables = TABLES.filter(({ name }) => SPLIT[name] !== undefined)
  const ordered = Object.keys(SPLIT).flatMap(name => tables.filter(table => table.name === name))
  const first = at.table === null ? 0 : ordered.findIndex(({ name }) => name === at.table)
  for (const table of ordered.slice(Math.max(0, first))) {
    for (;;) {
      signal?.throwIfAborted()
      const before: Progress = at.table === table.name ? at : { ...at, table: table.name, after: null }
      const next: Progress | null = await engine.write(() => batch(schema, table, at, before))
      if (next === null) break
      at = next
      onRows?.(at.rows)
    }
  }
  return at
}

function* batch(schema: string, table: Table, stored: Progress, before: Progress): Sql<Progress | null> {
  const { name, key } = table
  const old = `${quoted(schema)}.${name}`
  const order = columnList(key)
  const places = (from: number) => key.map((_, n) => `$${from + n}`).join(', ')
  const after = before.after
  const behind = after === null ? '' : `where (${order}) > (${places(1)})`
  const values = key.map(column => `'${column}', "${column}"`).join(', ')
  const [end] = yield* query(
    `select json_build_object(${values})::text as last
     from (
       select ${order} from ${old} ${behind} order by ${order} limit ${BATCH}
     ) as page
     order by ${key.map(column => `"${column}" desc`).join(', ')}
     limit 1`,
    after ?? [],
  )
  if (end === undefined) return null
  const last = jsonOrNull<Record<string, string | number>>(end, 'last') ?? {}
  const to = key.map(column => last[column] ?? '')
  const columns = columnList(columnsOf(name))
  const bounds = [
    ...(after === null ? [] : [`(${order}) > (${places(1)})`]),
    `(${order}) <= (${places(after === null ? 1 : 1 + key.length)})`,
  ]
  const params = [...(after ?? []), ...to]
  // The rows are held until the commit, so that whoever removes one removes its copy too.
  const copied = yield* query(
    `with page as (
       select ${columns} from ${old} where ${bounds.join(' and ')} for key share
     ), added as (
       insert into ${inShadow(schema, name)} (${columns}) overriding system value
       select ${columns} from page
       on conflict do nothing
     )${besideOf(schema, name)}
     select count(*) as n from page`,
    params,
  )
  const rows = copied[0] === undefined ? 0 : number(copied[0], 'n')
  const next: Progress = { ...before, after: to, rows: before.rows + rows }
  const moved = yield* query(
    `update ${quoted(shadowOf(schema))}.progress set said = $1 where one = 1 and said = $2`,
    [JSON.stringify(next), JSON.stringify(stored)],
  )
  if (changesOf(moved) !== 1)
    throw new LedgerError('conflict', 'another program splits this ledger at the same time', {
      hint: 'Let one `agent-ledger migrate` run at a time.',
    })
  return next
}

function besideOf(schema: string, table: string): string {
  if (table === 'ledger_operation')
    return `, keys as (
       insert into ${inShadow(schema, 'ledger_key')} (key_scope, idempotency_key, operation_id)
       select key_scope, idempotency_key, operation_id from page
       on conflict do nothing
     )`
  if (table === 'ledger_event')
    return `, decisions as (
       insert into ${inShadow(schema, 'ledger_decision')} (decision_id)
       select decision_id from page where decision_id is not null
       on conflict do nothing
     )`
  return ''
}

/** What is not the same in the old and the new tables, seen in one moment. None: they are the same. */
export function* differencesIn(schema: string): Sql<string[]> {
  const found: string[] = []
  for (const [table, key] of Object.entries(SPLIT)) {
    const columns = columnsOf(table)
    const of = (alias: string) => columns.map(column => `${alias}."${column}"`).join(', ')
    const [row] = yield* query(
      `select count(*) as n
       from ${quoted(schema)}.${table} as o
       full join ${inShadow(schema, table)} as n using (${columnList(key)})
       where (${of('o')}) is distinct from (${of('n')})`,
    )
    const n = row === undefined ? 0 : number(row, 'n')
    if (n > 0) found.push(`${n} rows of ${table}`)
  }
  const [keys] = yield* query(
    `select
       (
         select count(*)
         from ${quoted(schema)}.ledger_operation as o
         left join ${inShadow(schema, 'ledger_key')} as k
           on k.key_scope = o.key_scope and k.idempotency_key = o.idempotency_key
         where k.operation_id is distinct from o.operation_id
       ) + (
         select count(*)
         from ${quoted(schema)}.ledger_event as e
         left join ${inShadow(schema, 'ledger_decision')} as d on d.decision_id = e.decision_id
         where e.decision_id is not null and d.decision_id is null
       ) as n`,
  )
  if (keys !== undefined && number(keys, 'n') > 0) found.push(`${number(keys, 'n')} keys and decisions`)
  return found
}
