import type { CheckpointRow, Encoded, HistoryRow, StoredChannel, WriteKey, WriteRow } from '../rows.js'
import type { Ask } from './connect.js'
import type { PostgresTables } from './tables.js'

export interface Fetching {
  readonly ask: Ask
  readonly tables: PostgresTables
  readonly threadId: string
  /** values of the state too, which the plan of a resume does not need, and all writes at once */
  readonly isWhole: boolean
}

// A value of a checkpoint is fetched when it routes, holds the conversation, or is small enough to cost nothing: a state of
// many megabytes stays where it is. No single value is fetched beyond the last limit.
const SMALL_BYTES = 1024
const CONVERSATION_BYTES = 8 * 1024 * 1024
const LARGE_BYTES = 64 * 1024 * 1024
const ROUTES = String.raw`channel like any (array['branch:%', 'join:%', 'start:%', '\_\_pregel\_%'])`

/** All thread ids: a seek each along the primary key instead of a walk over all rows. */
export async function threadIds(ask: Ask, { checkpoints, writes }: PostgresTables): Promise<string[]> {
  const from = (table: string) => `
    with recursive t(id) as (
      (select min(thread_id) from ${table})
      union all
      select (select min(c.thread_id) from ${table} c where c.thread_id > t.id) from t where t.id is not null)
    select id from t where id is not null`
  const ids = new Set<string>()
  for (const table of [checkpoints, writes])
    for (const { id } of await ask<{ id: unknown }>(from(table))) ids.add(text(id))
  return [...ids].sort()
}

export async function hasThread({ ask, tables, threadId }: Fetching): Promise<boolean> {
  const [row] = await ask<{ there: unknown }>(
    `select exists (select from ${tables.checkpoints} where thread_id = $1)
      or exists (select from ${tables.writes} where thread_id = $1) as there`,
    [threadId],
  )
  return row?.there === true
}

/** The newest checkpoint of a namespace, or the one named. */
export async function fetchCheckpoint(
  { ask, tables, threadId, isWhole }: Fetching,
  namespace: string,
  checkpointId?: string,
): Promise<CheckpointRow | undefined> {
  const { id, parent } = idColumns(tables)
  const [row] = await ask<CheckpointColumns>(
    `select ${id} as checkpoint_id, ${parent} as parent_checkpoint_id, checkpoint::text, metadata::text
    from ${tables.checkpoints} c
    where thread_id = $1 and checkpoint_ns = $2
      ${checkpointId === undefined ? '' : `and ${id} = $3`}
    order by ${id} desc
    limit 1`,
    [threadId, namespace, ...(checkpointId === undefined ? [] : [checkpointId])],
  )
  if (row === undefined) return undefined
  const versions = tables.isShallow ? [] : [text(row.checkpoint)]
  const blobs = await ask<BlobColumns>(
    tables.isShallow
      ? `select channel, type, ${blobOf(isWhole)}
        from ${tables.blobs}
        where thread_id = $1 and checkpoint_ns = $2
        order by channel`
      : `select channel, type, ${blobOf(isWhole)}
        from jsonb_each_text($3::jsonb -> 'channel_versions') v(key, value)
        join ${tables.blobs} on thread_id = $1 and checkpoint_ns = $2 and channel = v.key and version = v.value
        order by channel`,
    [threadId, namespace, ...versions],
  )
  return {
    checkpointId: text(row.checkpoint_id),
    parentId: textOrNull(row.parent_checkpoint_id),
    checkpoint: json(row.checkpoint),
    metadata: json(row.metadata),
    apart: blobs.map(storedChannel),
  }
}

// Which of two rows was written later: by the age of the transaction, and inside one by the place in the table. Both hold
// for the database the saver wrote to; a dump that was restored keeps the places alone.
const WRITTEN = `
  age(w.xmin) as age,
  row_number() over (partition by age(w.xmin) order by w.ctid)::int as place`

export async function fetchWrites(
  fetching: Fetching,
  namespace: string,
  checkpointId: string,
): Promise<WriteRow[]> {
  const rows = await askForWrites(fetching, 'and checkpoint_ns = $2 and checkpoint_id = $3', [
    namespace,
    checkpointId,
  ])
  return rows.map(writeRow)
}

/** All writes of the thread, by `writesKey`. */
export async function fetchAllWrites(fetching: Fetching): Promise<ReadonlyMap<string, WriteRow[]>> {
  const found = new Map<string, WriteRow[]>()
  for (const row of await askForWrites(fetching, '', [])) {
    const key = writesKey(text(row.checkpoint_ns), text(row.checkpoint_id))
    const group = found.get(key)
    if (group === undefined) found.set(key, [writeRow(row)])
    else group.push(writeRow(row))
  }
  return found
}

export function writesKey(namespace: string, checkpointId: string): string {
  return JSON.stringify([namespace, checkpointId])
}

function askForWrites({ ask, tables, threadId }: Fetching, where: string, values: readonly string[]) {
  return ask<WriteColumns>(
    `select checkpoint_ns, checkpoint_id, task_id,
      ${tables.hasTaskPath ? 'task_path' : "'' as task_path"}, idx, channel, type, ${blobOf(true)}, ${WRITTEN}
    from ${tables.writes} w
    where thread_id = $1 ${where}
    order by checkpoint_ns, checkpoint_id, task_id, idx`,
    [threadId, ...values],
  )
}

function writeRow(row: WriteColumns): WriteRow {
  return {
    taskId: text(row.task_id),
    taskPath: text(row.task_path),
    index: number(row.idx),
    channel: text(row.channel),
    value: encoded(row),
    order: (YOUNGEST - number(row.age)) * ROWS_OF_A_TRANSACTION + number(row.place),
  }
}

// Ages are below 2^31 (and exactly that once a row is frozen for good), so the products stay whole numbers.
const YOUNGEST = 2 ** 31
const ROWS_OF_A_TRANSACTION = 2 ** 20

export async function fetchNamespaces({ ask, tables, threadId }: Fetching): Promise<string[]> {
  const rows = await ask<{ ns: unknown }>(
    `select distinct checkpoint_ns as ns from ${tables.checkpoints} where thread_id = $1 order by 1`,
    [threadId],
  )
  return rows.map(({ ns }) => text(ns))
}

export async function fetchHistory(
  { ask, tables, threadId }: Fetching,
  namespace: string,
): Promise<HistoryRow[]> {
  // Of one checkpoint alone nothing can be told: neither branches nor gaps.
  if (tables.isShallow) return []
  const { id, parent } = idColumns(tables)
  const rows = await ask<Pick<CheckpointColumns, 'checkpoint_id' | 'parent_checkpoint_id'>>(
    `select ${id} as checkpoint_id, ${parent} as parent_checkpoint_id
    from ${tables.checkpoints} c
    where thread_id = $1 and checkpoint_ns = $2
    order by 1`,
    [threadId, namespace],
  )
  return rows.map(row => ({
    checkpointId: text(row.checkpoint_id),
    parentId: textOrNull(row.parent_checkpoint_id),
  }))
}

const METADATA_AT_ONCE = 200

/** The metadata of this checkpoint and of those before it, as the walk back along a chain asks for them. */
export async function fetchMetadata(
  { ask, tables, threadId }: Fetching,
  namespace: string,
  checkpointId: string,
): Promise<ReadonlyMap<string, Encoded>> {
  const { id } = idColumns(tables)
  const rows = await ask<Pick<CheckpointColumns, 'checkpoint_id' | 'metadata'>>(
    `select ${id} as checkpoint_id, metadata::text
    from ${tables.checkpoints} c
    where thread_id = $1 and checkpoint_ns = $2 and ${id} <= $3
    order by ${id} desc
    limit ${METADATA_AT_ONCE}`,
    [threadId, namespace, checkpointId],
  )
  return new Map(rows.map(row => [text(row.checkpoint_id), json(row.metadata)]))
}

export async function fetchIndex({ ask, tables, threadId }: Fetching): Promise<WriteKey[]> {
  const rows = await ask<WriteColumns>(
    `select checkpoint_ns, checkpoint_id, task_id, idx, channel
    from ${tables.writes}
    where thread_id = $1
    order by checkpoint_ns, checkpoint_id, task_id, idx`,
    [threadId],
  )
  return rows.map(row => ({
    namespace: text(row.checkpoint_ns),
    checkpointId: text(row.checkpoint_id),
    taskId: text(row.task_id),
    index: number(row.idx),
    channel: text(row.channel),
  }))
}

// The shallow saver keeps the id inside the checkpoint alone, and no way back.
function idColumns({ isShallow }: PostgresTables): { id: string; parent: string } {
  return isShallow
    ? { id: "(c.checkpoint ->> 'id')", parent: 'null::text' }
    : { id: 'c.checkpoint_id', parent: 'c.parent_checkpoint_id' }
}

/** The value, or its size and digest where it is not fetched. */
function blobOf(isWanted: boolean): string {
  const wanted = isWanted
    ? 'true'
    : `(${ROUTES}
      or octet_length(blob) <= case channel when 'messages' then ${CONVERSATION_BYTES} else ${SMALL_BYTES} end)`
  return `
    octet_length(blob) as bytes,
    case when ${wanted} and octet_length(blob) <= ${LARGE_BYTES} then blob end as blob,
    case when ${wanted} and octet_length(blob) > ${LARGE_BYTES} then encode(sha256(blob), 'hex') end as digest`
}

interface CheckpointColumns {
  checkpoint_id: unknown
  parent_checkpoint_id: unknown
  checkpoint: unknown
  metadata: unknown
}

interface BlobColumns {
  channel: unknown
  type: unknown
  blob: unknown
  bytes: unknown
  digest: unknown
}

interface WriteColumns extends BlobColumns {
  checkpoint_ns: unknown
  checkpoint_id: unknown
  task_id: unknown
  task_path: unknown
  idx: unknown
  age: unknown
  place: unknown
}

function storedChannel(row: BlobColumns): StoredChannel {
  const isThere = row.blob !== null || row.bytes === null || row.digest !== null
  return { channel: text(row.channel), type: text(row.type), value: isThere ? encoded(row) : null }
}

function encoded({ type, blob, bytes, digest }: BlobColumns): Encoded {
  const stored = Buffer.isBuffer(blob) ? blob : Buffer.alloc(0)
  if (digest === null) return { type: textOrNull(type), bytes: stored }
  return {
    type: textOrNull(type),
    bytes: stored,
    left: {
      bytes: number(bytes),
      digest: `sha256:${text(digest)}`,
      why: `it is larger than ${LARGE_BYTES / 1024 / 1024} MiB and was left where it is`,
    },
  }
}

function json(value: unknown): Encoded {
  return { type: null, bytes: Buffer.from(value === null ? '' : text(value), 'utf8') }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : String(value)
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value)
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
