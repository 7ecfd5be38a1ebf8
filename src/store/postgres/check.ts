import { LedgerError } from '../../core/errors.js'
import { flag, json, number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { allGuards, allTriggers, firstSchemaFor } from '../migrations/postgres.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { FENCE_BODY, FENCE_FUNCTION, fenceName } from '../moving/fence-lines.js'
import { followerBody } from '../splitting/follow.js'
import { followerName } from '../splitting/names.js'
import { quoted } from './dialect.js'
import { partitionDifferences, partitionsOf } from './layout.js'
import { type Objects, objectsIn } from './objects.js'
import type { PostgresPlace } from './place.js'

/** The first version with all that the statements use, and that its makers still mend. */
const OLDEST_SERVER = 140_000

/** Engines that speak the protocol and keep other promises, as they call themselves. */
const OTHERS = /CockroachDB|YugabyteDB|-YB-|Redshift|Materialize/

/** What a server and a schema say of themselves before anything of ours is asked of them. */
export interface ServerFacts {
  /** 150018 is 15.18 */
  readonly server: number
  readonly encoding: string
  /** as it calls itself: `PostgreSQL 15.18 (Debian …) on …` */
  readonly version: string
  /** it follows another server, and takes no writes */
  readonly is_replica: boolean
  /** transactions of this user only read unless they say otherwise */
  readonly is_read_only: boolean
  readonly fsync: boolean
  readonly has_schema: boolean
  /** tables of the schema that bear a name of ours */
  readonly tables: readonly string[]
}

export function* serverFacts(schema: string): Sql<ServerFacts> {
  const [row] = yield* query(
    `select
       current_setting('server_version_num')::bigint as server,
       current_setting('server_encoding') as encoding,
       version() as version,
       pg_is_in_recovery() as is_replica,
       current_setting('default_transaction_read_only') = 'on' as is_read_only,
       current_setting('fsync') = 'on' as fsync,
       exists (select 1 from pg_namespace where nspname = $1) as has_schema,
       (
         select coalesce(json_agg(c.relname order by c.relname), '[]')
         from pg_class as c
         join pg_namespace as n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relname like 'ledger\\_%' and c.relkind in ('r', 'p')
           and not c.relispartition
       ) as tables`,
    [schema],
  )
  if (row === undefined) throw new Error('a query without a table gives one row')
  return {
    server: number(row, 'server'),
    encoding: text(row, 'encoding'),
    version: text(row, 'version'),
    is_replica: flag(row, 'is_replica'),
    is_read_only: flag(row, 'is_read_only'),
    fsync: flag(row, 'fsync'),
    has_schema: flag(row, 'has_schema'),
    tables: json<string[]>(row, 'tables'),
  }
}

/** @throws LedgerError ledger_unreadable for a server that the ledger cannot be kept on */
export function refuseServer({ server, encoding, version }: ServerFacts, { shown }: PostgresPlace): void {
  if (OTHERS.test(version))
    throw new LedgerError('ledger_unreadable', `${shown}: the server is not PostgreSQL (${version})`, {
      path: shown,
      hint: 'It lacks locks or triggers that the ledger rests on, or lets them pass without an effect: see docs/scale.md.',
      facts: { version },
    })
  if (server < OLDEST_SERVER)
    throw new LedgerError(
      'ledger_unreadable',
      `${shown}: the server is PostgreSQL ${versionOf(server)}; version 14 or newer is needed`,
      { path: shown, hint: 'Use a newer server, or keep the ledger in a file.', facts: { server } },
    )
  if (encoding !== 'UTF8')
    throw new LedgerError(
      'ledger_unreadable',
      `${shown}: the database keeps texts as ${encoding}, not as UTF8`,
      {
        path: shown,
        hint: "Make a database with encoding 'UTF8' for the ledger.",
        facts: { encoding },
      },
    )
}

/** 150018 is 15.18 */
export function versionOf(server: number): string {
  return `${Math.floor(server / 10_000)}.${server % 10_000}`
}

/** @throws LedgerError ledger_missing, not_a_ledger */
export function refuseNoLedger({ has_schema, tables }: ServerFacts, { shown, schema }: PostgresPlace): void {
  if (tables.includes('ledger_meta') && tables.includes('ledger_schema')) return
  if (tables.length > 0)
    throw new LedgerError(
      'not_a_ledger',
      `${shown}: the schema ${schema} holds ${tables[0]}, and is no ledger of this program`,
      { path: shown, hint: 'Name another schema with ?schema=.' },
    )
  throw new LedgerError(
    'ledger_missing',
    `${shown}: ${has_schema ? `the schema ${schema} holds no ledger` : `there is no schema ${schema}`}`,
    { path: shown, hint: 'Correct ?schema=, or make the ledger there with `agent-ledger init`.' },
  )
}

/** The number of the schema, as the steps that were applied say. */
export function* schemaNumber(): Sql<number> {
  const [row] = yield* query('select coalesce(max(version), 0) as version from ledger_schema')
  return row === undefined ? 0 : number(row, 'version')
}

/** @throws LedgerError ledger_newer, ledger_older */
export function refuseSchema(found: number, { shown }: PostgresPlace, doing: 'reading' | 'writing'): void {
  const facts = { schema: found, known: NEWEST_SCHEMA }
  if (found > NEWEST_SCHEMA)
    throw new LedgerError(
      'ledger_newer',
      `${shown} has schema ${found}; this program knows schemas up to ${NEWEST_SCHEMA}`,
      { path: shown, facts },
    )
  const oldest = doing === 'writing' ? NEWEST_SCHEMA : Math.max(1, NEWEST_SCHEMA - 1)
  if (found < oldest)
    throw new LedgerError('ledger_older', `${shown} has schema ${found}; this program needs ${oldest}`, {
      path: shown,
      facts,
    })
}

/**
 * What of the schema is not as this program made it: a trigger, a rule or a function that we did not make would run with
 * our statements. Indexes and grants may be added; an application's own tables beside ours are its own affair.
 */
export function* schemaDifferences(schema: string): Sql<string[]> {
  const found = yield* objectsIn(schema)
  return found === null ? [`the schema ${schema} is gone`] : differencesOf(found, schema)
}

function differencesOf(
  { relations, columns, indexes, triggers, functions }: Objects,
  schema: string,
): string[] {
  const partitions = partitionsOf(relations)
  const wanted = expectedOf(schema, partitions)
  const there = new Set(columns.map(column => column.join(' ')))
  const tables = new Set(wanted.columns.map(([table]) => table))
  const isPart = (parent: string | null) => parent !== null && tables.has(parent)
  const names = new Set([
    ...tables,
    ...relations.filter(({ parent }) => isPart(parent)).map(({ name }) => name),
  ])
  const usable = new Map(indexes)
  const guarding = new Map(functions)
  // A trigger of a table that is split is one of each partition too: off in one of them counts.
  const on = new Map(
    triggers
      .toSorted(([, , a], [, , b]) => Number(b === 'O') - Number(a === 'O'))
      .map(([, name, enabled]) => [name, enabled]),
  )
  const isFence = (table: string, name: string) =>
    name === fenceName(table) && guarding.get(FENCE_FUNCTION) === FENCE_BODY
  const isFollower = (table: string, name: string) =>
    name === followerName(table) && guarding.get(name) === followerBody(schema, table)
  const known = new Set(allTriggers(schema, partitions).map(({ name }) => name))
  return [
    ...partitionDifferences(relations.filter(({ name, parent }) => tables.has(parent ?? name))),
    ...relations.flatMap(({ name, kind, has_policies, has_rules }) => [
      ...(names.has(name) && (kind === 'r' || kind === 'p') ? [] : [`"${name}" is no table of a ledger`]),
      ...(has_policies ? [`the table ${name} hides rows by row level security`] : []),
      ...(has_rules ? [`the table ${name} has rules that rewrite statements`] : []),
    ]),
    ...wanted.columns
      .filter(column => !there.has(column.join(' ')))
      .map(([table, column, type]) => `the column ${column} (${type}) of ${table} is missing`),
    ...wanted.indexes
      .filter(name => usable.get(name) !== true)
      .map(name => `the index ${name} is ${usable.has(name) ? 'not usable' : 'missing'}`),
    ...[...known]
      .filter(name => on.get(name) !== 'O')
      .map(name => `the trigger ${name} is ${on.has(name) ? 'off' : 'missing'}`),
    ...triggers
      .filter(
        ([table, name]) =>
          names.has(table) && !known.has(name) && !isFence(table, name) && !isFollower(table, name),
      )
      .map(([table, name]) => `the trigger ${name} on ${table} is not of a ledger`),
    ...Object.entries(allGuards(schema, partitions))
      .filter(([name, body]) => guarding.get(name) !== body)
      .map(([name]) => `the function ${name} is ${guarding.has(name) ? 'another' : 'missing'}`),
  ]
}

/** What the steps leave, read from their own text. */
function expectedOf(schema: string, partitions: number | null) {
  const columns: [string, string, string][] = []
  const indexes: string[] = []
  for (const sql of firstSchemaFor(schema, partitions)) {
    const table = sql.startsWith('create table') ? /\.(ledger_\w+) \(/.exec(sql)?.[1] : undefined
    const index = /^create (?:unique )?index (\w+)/.exec(sql)?.[1]
    if (index !== undefined) indexes.push(index)
    if (table === undefined) continue
    for (const [, name = '', type = ''] of sql.matchAll(
      /^ {2}"?(\w+)"? (bigint|text|bytea|double precision)\b/gm,
    ))
      columns.push([table, name, type])
  }
  return { columns, indexes }
}

/** @throws LedgerError ledger_damaged naming the first of them */
export function refuseDifferences(differences: readonly string[], { shown }: PostgresPlace): void {
  const [first] = differences
  if (first === undefined) return
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : ''
  throw new LedgerError('ledger_damaged', `${shown} was changed by another program: ${first}${more}`, {
    path: shown,
    hint: 'Nothing was read or written. Ask who changed it, and restore a backup where you must.',
    facts: { differences },
  })
}

/** The ledger's own tables, as `create table` names them. */
export function tablesOf(schema: string, partitions: number | null): string[] {
  return [...new Set(expectedOf(schema, partitions).columns.map(([table]) => table))]
}

/** The columns of one of them. */
export function columnsOf(schema: string, table: string): string[] {
  return expectedOf(schema, null).columns.flatMap(([of, column]) => (of === table ? [column] : []))
}

/** `"agents".ledger_task` */
export function tableIn(schema: string, table: string): string {
  return `${quoted(schema)}.${table}`
}
