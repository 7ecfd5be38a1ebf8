import type { Client } from 'pg'
import { withClient } from '../../postgres/server.js'

/** The three tables of a PostgresSaver as JSON; bytes stand as `{"$base64": …}`, writes in the order they were written. */
export interface PostgresRows {
  readonly checkpoints: readonly Row[]
  readonly checkpoint_blobs: readonly Row[]
  readonly checkpoint_writes: readonly Row[]
}

type Row = Readonly<Record<string, unknown>>

const TABLES = ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] as const

/** As @langchain/langgraph-checkpoint-postgres 1.0.5 makes them; Python's writes have a column more, its shallow saver has less. */
function createTables(schema: string, rows: PostgresRows): string {
  const has = (table: (typeof TABLES)[number], column: string) => rows[table].some(row => column in row)
  const isShallow = rows.checkpoints.length > 0 && !has('checkpoints', 'checkpoint_id')
  return `
  create schema if not exists "${schema}";
  create table "${schema}".checkpoints (
    thread_id text not null, checkpoint_ns text not null default '',
    ${isShallow ? '' : 'checkpoint_id text not null, parent_checkpoint_id text,'}
    type text, checkpoint jsonb not null, metadata jsonb not null default '{}',
    primary key (thread_id, checkpoint_ns ${isShallow ? '' : ', checkpoint_id'}));
  create table "${schema}".checkpoint_blobs (
    thread_id text not null, checkpoint_ns text not null default '', channel text not null,
    ${isShallow ? '' : 'version text not null,'} type text not null, blob bytea,
    primary key (thread_id, checkpoint_ns, channel ${isShallow ? '' : ', version'}));
  create table "${schema}".checkpoint_writes (
    thread_id text not null, checkpoint_ns text not null default '', checkpoint_id text not null,
    task_id text not null, idx integer not null, channel text not null, type text, blob bytea not null
    ${has('checkpoint_writes', 'task_path') ? ", task_path text not null default ''" : ''},
    primary key (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));`
}

/** Makes the tables in a schema and puts the rows in, each in a transaction of its own. */
export function fillPostgres(url: string, schema: string, rows: PostgresRows): Promise<void> {
  return withClient(url, async client => {
    await client.query(createTables(schema, rows))
    for (const table of TABLES)
      for (const row of rows[table]) await insert(client, `"${schema}".${table}`, row)
  })
}

/** The address of a schema that `fillPostgres` made. */
export function addressOf(url: string, schema: string): string {
  return `${url}&schema=${encodeURIComponent(schema)}`
}

async function insert(client: Client, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
    columns.map(column => parameter(row[column])),
  )
}

function parameter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return '$base64' in value ? Buffer.from(String(value.$base64), 'base64') : JSON.stringify(value)
}
