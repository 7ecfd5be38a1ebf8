import type Database from 'better-sqlite3'
import type { SqliteFile } from '../sqlite-file/open.js'
import { damaged } from '../sqlite-file/open.js'
import type { CheckpointRow, Encoded, ThreadRows, WriteKey, WriteRow } from './rows.js'

export interface SaverTables {
  /** all threads, in the order of their ids */
  threadIds(): Iterable<string>
  thread(threadId: string): ThreadRows | undefined
}

/** Opens the tables for reading. Throws `ledger_unreadable`, naming the path, when the file turns out to be damaged. */
export function openSaverTables(path: string, file: SqliteFile): SaverTables {
  const ask = createAsk(path, file)
  const hasTaskPath = ask<{ name: string }>("select name from pragma_table_xinfo('writes')").some(
    ({ name }) => name === 'task_path',
  )
  const exists = (threadId: string) =>
    ask('select 1 from checkpoints where thread_id = ? limit 1', threadId).length > 0 ||
    ask('select 1 from writes where thread_id = ? limit 1', threadId).length > 0
  return {
    threadIds: () => threadIds(ask),
    thread: threadId => (exists(threadId) ? threadRows({ ask, threadId, hasTaskPath }) : undefined),
  }
}

type Ask = <Row>(sql: string, ...parameters: string[]) => Row[]

/**
 * One place where SQLite is called. A damaged or crafted file may lead a query round in circles, so no answer may have
 * more rows than the file has room for (a cell takes at least 8 bytes).
 */
function createAsk(path: string, { db, bytes }: SqliteFile): Ask {
  const statements = new Map<string, Database.Statement<string[]>>()
  return <Row>(sql: string, ...parameters: string[]) => {
    const rows: Row[] = []
    try {
      let statement = statements.get(sql)
      if (statement === undefined) {
        statement = db.prepare<string[]>(sql)
        statements.set(sql, statement)
      }
      for (const row of statement.iterate(...parameters)) {
        rows.push(row as Row) // columns as in the statement; their values are checked where they are used
        if (rows.length > bytes / 8) throw new RangeError('more rows than the file can hold')
      }
    } catch (cause) {
      throw damaged(path, cause)
    }
    return rows
  }
}

// A distinct over the primary key would read all of it; two seeks a thread do not. Writes without a checkpoint are a
// thread too: its checkpoint was lost.
function* threadIds(ask: Ask): Iterable<string> {
  const next = (where: string, ...parameters: string[]) =>
    ['checkpoints', 'writes']
      .map(
        table =>
          ask<{ id: unknown }>(`select min(thread_id) as id from ${table}${where}`, ...parameters)[0]?.id,
      )
      .filter(id => typeof id === 'string')
      .reduce<string | undefined>(
        (least, id) => (least === undefined || isAfter(least, id) ? id : least),
        undefined,
      )
  let id = next('')
  while (id !== undefined) {
    yield id
    const following = next(' where thread_id > ?', id)
    if (following !== undefined && !isAfter(following, id)) return
    id = following
  }
}

interface ThreadScope {
  readonly ask: Ask
  readonly threadId: string
  readonly hasTaskPath: boolean
}

function threadRows({ ask, threadId, hasTaskPath }: ThreadScope): ThreadRows {
  const checkpointSql = `
    select checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
    from checkpoints
    where thread_id = ? and checkpoint_ns = ?`
  const writesSql = `
    select task_id, ${hasTaskPath ? 'task_path' : "'' as task_path"}, idx, channel, type, value, rowid as position
    from writes
    where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?
    order by task_id, idx`
  let keys: WriteKey[] | undefined
  return {
    threadId,
    newest: namespace =>
      checkpointRow(
        ask<CheckpointColumns>(
          `${checkpointSql} order by checkpoint_id desc limit 1`,
          threadId,
          namespace,
        )[0],
      ),
    checkpoint: (namespace, checkpointId) =>
      checkpointRow(
        ask<CheckpointColumns>(
          `${checkpointSql} and checkpoint_id = ?`,
          threadId,
          namespace,
          checkpointId,
        )[0],
      ),
    writes: (namespace, checkpointId) =>
      ask<WriteColumns>(writesSql, threadId, namespace, checkpointId).map(writeRow),
    hasNamespace: namespace =>
      ask('select 1 from checkpoints where thread_id = ? and checkpoint_ns = ? limit 1', threadId, namespace)
        .length > 0,
    namespaces: () =>
      ask<{ ns: unknown }>(
        'select distinct checkpoint_ns as ns from checkpoints where thread_id = ?',
        threadId,
      ).map(({ ns }) => text(ns)),
    persistentNamespaces: () => persistentNamespaces(ask, threadId),
    history: namespace =>
      ask<HistoryColumns>(
        `select checkpoint_id, parent_checkpoint_id
        from checkpoints
        where thread_id = ? and checkpoint_ns = ?
        order by checkpoint_id`,
        threadId,
        namespace,
      ).map(row => ({
        checkpointId: text(row.checkpoint_id),
        parentId: textOrNull(row.parent_checkpoint_id),
      })),
    metadata: (namespace, checkpointId) => {
      const row = ask<{ type: unknown; metadata: unknown }>(
        'select type, metadata from checkpoints where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?',
        threadId,
        namespace,
        checkpointId,
      )[0]
      return row && encoded(row.type, row.metadata)
    },
    bytes: (namespace, checkpointId) => {
      const row = ask<{ bytes: unknown }>(
        'select length(checkpoint) as bytes from checkpoints where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?',
        threadId,
        namespace,
        checkpointId,
      )[0]
      return typeof row?.bytes === 'number' ? row.bytes : 0
    },
    index: () => {
      keys ??= ask<KeyColumns>(
        `select checkpoint_ns, checkpoint_id, task_id, idx, channel
        from writes
        where thread_id = ?
        order by checkpoint_ns, checkpoint_id, task_id, idx`,
        threadId,
      ).map(writeKey)
      return keys
    },
  }
}

// `node:task` and everything below it is skipped in one seek: `;` is the character after `:`.
function persistentNamespaces(ask: Ask, threadId: string): string[] {
  const found: string[] = []
  const next = (after: string) =>
    ask<{ ns: unknown }>(
      'select min(checkpoint_ns) as ns from checkpoints where thread_id = ? and checkpoint_ns > ?',
      threadId,
      after,
    )[0]?.ns
  let namespace = next('')
  while (typeof namespace === 'string') {
    const colon = namespace.indexOf(':')
    if (colon === -1) found.push(namespace)
    const following = next(colon === -1 ? namespace : `${namespace.slice(0, colon)};`)
    if (typeof following === 'string' && !isAfter(following, namespace)) break
    namespace = following
  }
  return found
}

/** SQLite compares text by its UTF-8 bytes. A damaged index may break the order, and a walk along it would not end. */
function isAfter(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8')) > 0
}

interface HistoryColumns {
  checkpoint_id: unknown
  parent_checkpoint_id: unknown
}

interface CheckpointColumns extends HistoryColumns {
  type: unknown
  checkpoint: unknown
  metadata: unknown
}

interface KeyColumns {
  checkpoint_ns: unknown
  checkpoint_id: unknown
  task_id: unknown
  idx: unknown
  channel: unknown
}

interface WriteColumns {
  task_id: unknown
  task_path: unknown
  idx: unknown
  channel: unknown
  type: unknown
  value: unknown
  position: unknown
}

function checkpointRow(row: CheckpointColumns | undefined): CheckpointRow | undefined {
  return (
    row && {
      checkpointId: text(row.checkpoint_id),
      parentId: textOrNull(row.parent_checkpoint_id),
      checkpoint: encoded(row.type, row.checkpoint),
      metadata: encoded(row.type, row.metadata),
    }
  )
}

function writeRow(row: WriteColumns): WriteRow {
  return {
    taskId: text(row.task_id),
    taskPath: text(row.task_path),
    index: typeof row.idx === 'number' ? row.idx : 0,
    channel: text(row.channel),
    value: encoded(row.type, row.value),
    order: typeof row.position === 'number' ? row.position : 0,
  }
}

function writeKey(row: KeyColumns): WriteKey {
  return {
    namespace: text(row.checkpoint_ns),
    checkpointId: text(row.checkpoint_id),
    taskId: text(row.task_id),
    index: typeof row.idx === 'number' ? row.idx : 0,
    channel: text(row.channel),
  }
}

// SQLite columns hold any type whatever was declared.
function text(value: unknown): string {
  return typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString('utf8') : String(value)
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : text(value)
}

function encoded(type: unknown, value: unknown): Encoded {
  return {
    type: textOrNull(type),
    bytes: Buffer.isBuffer(value) ? value : Buffer.from(value === null ? '' : text(value), 'utf8'),
  }
}
