import { LedgerError } from '../../core/errors.js'
import { flag, text } from '../cells.js'
import { type Query, query, type Sql } from '../engine.js'
import { allGuards, allTriggers, firstSchemaFor, guards } from '../migrations/postgres.js'
import { PARTITIONED, partitionNames } from '../migrations/postgres-partitions.js'
import { quoted } from '../postgres/dialect.js'
import type { Progress } from './fill.js'
import { followStatements, unfollowStatements } from './follow.js'
import { BESIDE, inShadow, SPLIT, shadowOf } from './names.js'

/** The tables of ours that are made anew, without their partitions. */
const OURS = [...Object.keys(SPLIT), ...BESIDE]

/** Makes the new tables, empty, and lets the old ones be followed from this commit on. */
export function* beginSplit(schema: string, partitions: number): Sql<Progress> {
  const shadow = shadowOf(schema)
  yield* refuseForeign(schema)
  const progress: Progress = { partitions, table: null, after: null, rows: 0 }
  yield* query(`create schema ${quoted(shadow)}`)
  yield* query(`create table ${quoted(shadow)}.progress (one bigint primary key, said text not null)`)
  yield* query(`insert into ${quoted(shadow)}.progress (one, said) values (1, $1)`, [
    JSON.stringify(progress),
  ])
  yield newTables(schema, partitions).map(statement)
  // Whoever is committing ends first; whoever begins afterwards meets the triggers.
  yield* query(`lock table ${tablesIn(schema)} in share row exclusive mode`)
  yield followStatements(schema).map(statement)
  return progress
}

/** The statements of the schema that make these tables and their indexes, in the shadow of it. */
function newTables(schema: string, partitions: number): string[] {
  const of = quoted(schema)
  const names = [...OURS, ...Object.keys(PARTITIONED).flatMap(table => partitionNames(table, partitions))]
  return firstSchemaFor(schema, partitions)
    .filter(sql => {
      const on = /^create (?:table|(?:unique )?index \w+ on) "(?:[^"]|"")*"\.(ledger_\w+)/.exec(sql)?.[1]
      return on !== undefined && names.includes(on)
    })
    .map(sql => names.reduce((said, name) => said.replaceAll(named(of, name), inShadow(schema, name)), sql))
}

/** The name of a table and no longer one that begins with it. */
function named(of: string, table: string): RegExp {
  return new RegExp(`${of.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.${table}(?!\\w)`, 'g')
}

/** @throws LedgerError refused where the name of the shadow is taken, or the tables are another user's */
function* refuseForeign(schema: string): Sql<void> {
  const [row] = yield* query(
    `select
       exists (select 1 from pg_namespace where nspname = $2) as is_taken,
       (
         select bool_and(pg_has_role(c.relowner, 'usage'))
         from pg_class as c
         join pg_namespace as n on n.oid = c.relnamespace
         where n.nspname = $1 and c.relname = 'ledger_operation'
       ) as is_ours`,
    [schema, shadowOf(schema)],
  )
  if (row !== undefined && flag(row, 'is_taken'))
    throw new LedgerError('refused', `there is a schema ${shadowOf(schema)} already`, {
      rule: 'shadow_is_free',
      hint: 'The new tables grow there. Rename it, or remove it if nothing is in it.',
    })
  if (row === undefined || !flag(row, 'is_ours'))
    throw new LedgerError('ledger_unwritable', `the tables of the schema ${schema} belong to another user`, {
      hint: 'Let their owner run it.',
      facts: { commit: 'none' },
    })
}

/** In one commit the new tables take the place of the old ones, with all that stood on those. */
export function* swap(schema: string, partitions: number): Sql<void> {
  const of = quoted(schema)
  yield* query(`lock table ${tablesIn(schema)} in access exclusive mode`)
  const references = yield* referencesTo(schema)
  const grants = yield* grantsOn(schema)
  yield unfollowStatements(schema).map(statement)
  yield references.map(({ drop }) => statement(drop))
  for (const table of ['ledger_operation', 'ledger_event'])
    yield* query(
      `select setval(
         pg_get_serial_sequence($1, 'seq'),
         coalesce(pg_sequence_last_value(pg_get_serial_sequence($2, 'seq')::regclass), 1),
         pg_sequence_last_value(pg_get_serial_sequence($2, 'seq')::regclass) is not null
       )`,
      [inShadow(schema, table), `${of}.${table}`],
    )
  yield* query(`drop table ${tablesIn(schema)}`)
  const parts = Object.keys(PARTITIONED).flatMap(table => partitionNames(table, partitions))
  yield [...OURS, ...parts].map(table => statement(`alter table ${inShadow(schema, table)} set schema ${of}`))
  yield guardStatements(schema, partitions).map(statement)
  yield [...references.map(({ add }) => add), ...grants].map(statement)
  yield* dropShadow(schema)
}

/** The triggers of tables that were not made anew stand already, and so do their functions. */
function guardStatements(schema: string, partitions: number): string[] {
  const there = guards(schema)
  const parts = Object.keys(PARTITIONED).flatMap(table => partitionNames(table, partitions))
  const isNew = (sql: string) =>
    [...OURS, ...parts].includes(/ on (?:"(?:[^"]|"")*"\.)?(ledger_\w+)/.exec(sql)?.[1] ?? '')
  return [
    ...Object.entries(allGuards(schema, partitions))
      .filter(([name]) => there[name] === undefined)
      .map(
        ([name, body]) =>
          `create function ${quoted(schema)}.${name}() returns trigger language plpgsql as $guard$${body}$guard$`,
      ),
    ...allTriggers(schema, partitions).flatMap(({ sql }) => (isNew(sql) ? [sql] : [])),
  ]
}

/** Foreign keys of tables that stay, an application's own too. */
function* referencesTo(schema: string): Sql<{ readonly drop: string; readonly add: string }[]> {
  const rows = yield* query(
    `select conrelid::regclass::text as on_table, quote_ident(conname) as name, pg_get_constraintdef(k.oid) as said
     from pg_constraint as k
     join pg_class as c on c.oid = k.confrelid
     join pg_namespace as n on n.oid = c.relnamespace
     join pg_class as t on t.oid = k.conrelid
     where k.contype = 'f' and n.nspname = $1 and c.relname = any ($2::text[]) and k.conparentid = 0
       and not (t.relnamespace = n.oid and t.relname = any ($2::text[]))
     order by conname`,
    [schema, asArray(Object.keys(SPLIT))],
  )
  return rows.map(row => {
    const [table, name] = [text(row, 'on_table'), text(row, 'name')]
    return {
      drop: `alter table ${table} drop constraint ${name}`,
      add: `alter table ${table} add constraint ${name} ${text(row, 'said')}`,
    }
  })
}

/** Who may do what with the old tables; what they may with the operations and events they may with what stands beside. */
function* grantsOn(schema: string): Sql<string[]> {
  const rows = yield* query(
    `select c.relname as on_table, a.privilege_type as may, a.is_grantable as may_grant,
       case a.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as who
     from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     cross join aclexplode(c.relacl) as a
     where n.nspname = $1 and c.relname = any ($2::text[]) and a.grantee <> c.relowner
     order by 1, 2, 4`,
    [schema, asArray(Object.keys(SPLIT))],
  )
  const beside: Readonly<Record<string, string>> = {
    ledger_operation: 'ledger_key',
    ledger_event: 'ledger_decision',
  }
  return rows.flatMap(row => {
    const [table, may, who] = [text(row, 'on_table'), text(row, 'may'), text(row, 'who')]
    const also = beside[table]
    const passes = flag(row, 'may_grant') ? ' with grant option' : ''
    const on = (name: string) => `grant ${may} on ${quoted(schema)}.${name} to ${who}${passes}`
    return also !== undefined && ['SELECT', 'INSERT'].includes(may) ? [on(table), on(also)] : [on(table)]
  })
}

/** Gives it up: the old tables were the ledger all the time. */
export function* giveUp(schema: string): Sql<void> {
  yield unfollowStatements(schema).map(statement)
  yield* dropShadow(schema)
}

function* dropShadow(schema: string): Sql<void> {
  yield* query(`drop schema ${quoted(shadowOf(schema))} cascade`)
}

export function* analyze(schema: string): Sql<void> {
  yield OURS.map(table => statement(`analyze ${inShadow(schema, table)}`))
}

function tablesIn(schema: string): string {
  return Object.keys(SPLIT)
    .map(table => `${quoted(schema)}.${table}`)
    .join(', ')
}

function asArray(names: readonly string[]): string {
  return `{${names.join(',')}}`
}

function statement(sql: string): Query {
  return { text: sql, params: [] }
}
