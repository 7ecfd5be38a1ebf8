import { unreadable } from '../../unreadable.js'
import { type Address, quoted } from './address.js'
import type { Ask } from './connect.js'

/** The tables of a saver, found and looked at. Names are ready to stand in a statement. */
export interface PostgresTables {
  readonly checkpoints: string
  readonly blobs: string
  readonly writes: string
  /** Python's, since March 2025 */
  readonly hasTaskPath: boolean
  /** ShallowPostgresSaver: the newest checkpoint of each namespace and nothing before */
  readonly isShallow: boolean
  /** what the database itself makes a person stumble over */
  readonly isStandby: boolean
  readonly othersConnected: number
}

// @langchain/langgraph-checkpoint-postgres 1.0.5 and langgraph-checkpoint-postgres 3.1.2, what both have.
const COLUMNS = {
  checkpoints: ['thread_id', 'checkpoint_ns', 'checkpoint', 'metadata'],
  blobs: ['thread_id', 'checkpoint_ns', 'channel', 'type', 'blob'],
  writes: ['thread_id', 'checkpoint_ns', 'checkpoint_id', 'task_id', 'idx', 'channel', 'type', 'blob'],
} as const

interface Found {
  readonly name: string
  readonly kind: string
  readonly columns: readonly string[] | null
}

/**
 * Finds the three tables and says what is missing. Only plain and partitioned tables pass: a view would run what
 * somebody wrote into the database, and has no rows whose order tells which came later. Throws `ledger_unreadable`.
 */
export async function findTables(address: Address, ask: Ask): Promise<PostgresTables> {
  const schema = address.schema ?? (await schemaOnPath(address, ask))
  const names = address.tables
  const found = await ask<Found>(FIND, [schema, Object.values(names)])
  for (const part of ['checkpoints', 'blobs', 'writes'] as const)
    await requireTable(address, ask, { schema, part, table: found.find(({ name }) => name === names[part]) })
  const columnsOf = (name: string) => found.find(table => table.name === name)?.columns ?? []
  const [state] = await ask<{ standby: unknown; others: unknown }>(STATE)
  // From here on nothing is looked up by a name that others could have put before PostgreSQL's own.
  await ask("select pg_catalog.set_config('search_path', 'pg_catalog', true)")
  return {
    checkpoints: `${quoted(schema)}.${quoted(names.checkpoints)}`,
    blobs: `${quoted(schema)}.${quoted(names.blobs)}`,
    writes: `${quoted(schema)}.${quoted(names.writes)}`,
    hasTaskPath: columnsOf(names.writes).includes('task_path'),
    isShallow: !columnsOf(names.checkpoints).includes('checkpoint_id'),
    isStandby: state?.standby === true,
    othersConnected: typeof state?.others === 'number' ? state.others : 0,
  }
}

const FIND = `
  select c.relname as name, c.relkind::text as kind,
    (select pg_catalog.array_agg(a.attname::text)
     from pg_catalog.pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = any($2) and c.relkind not in ('i', 'I', 't', 'S', 'c')
  order by c.relname`

const STATE = `
  select pg_catalog.pg_is_in_recovery() as standby,
    (select pg_catalog.count(*)::int
     from pg_catalog.pg_stat_activity
     where datname = pg_catalog.current_database()
       and pid <> pg_catalog.pg_backend_pid()
       and backend_type = 'client backend') as others`

/** Where an unqualified name would be found, as the savers without a schema of their own look for it. */
async function schemaOnPath(address: Address, ask: Ask): Promise<string> {
  const [row] = await ask<{ schema: unknown }>(
    `select n.nspname as schema
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.oid = pg_catalog.to_regclass($1)`,
    [quoted(address.tables.checkpoints)],
  )
  return typeof row?.schema === 'string' ? row.schema : 'public'
}

interface Required {
  readonly schema: string
  readonly part: keyof typeof COLUMNS
  readonly table: Found | undefined
}

async function requireTable(address: Address, ask: Ask, { schema, part, table }: Required): Promise<void> {
  const name = address.tables[part]
  if (table === undefined)
    throw unreadable(
      address.shown,
      `has no table ${name} in the schema ${schema}`,
      await whereElse(address, ask, schema),
    )
  if (table.kind !== 'r' && table.kind !== 'p')
    throw unreadable(
      address.shown,
      `has ${schema}.${name} as a ${KINDS[table.kind] ?? 'thing'}, not as a table`,
      'Name the schema of the saver’s own tables: ?schema=…',
    )
  const missing = COLUMNS[part].filter(column => table.columns?.includes(column) !== true)
  if (missing.length > 0)
    throw unreadable(
      address.shown,
      `has a table ${schema}.${name} without ${missing.join(', ')}: no saver of LangGraph made it`,
      'Check the schema and the table: ?schema=…&table=…',
    )
}

const KINDS: Readonly<Record<string, string>> = { v: 'view', m: 'materialized view', f: 'foreign table' }

async function whereElse(address: Address, ask: Ask, schema: string): Promise<string> {
  const elsewhere = await ask<{ schema: string }>(
    `select n.nspname as schema
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relname = $1 and n.nspname <> $2 and c.relkind in ('r', 'p')
    order by n.nspname
    limit 5`,
    [address.tables.checkpoints, schema],
  )
  return elsewhere.length === 0
    ? 'Check the database, and the schema and table of the saver: ?schema=…&table=…; before its setup() there are none.'
    : `There is one in ${elsewhere.map(({ schema }) => schema).join(', ')}: add ?schema=… to the address.`
}
