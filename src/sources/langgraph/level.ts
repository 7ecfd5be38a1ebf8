import { decode, type Unreadable } from './decode/index.js'
import type { CheckpointRow, ThreadRows, WriteRow } from './rows.js'
import { type Checkpoint, type Metadata, parseCheckpoint, parseMetadata } from './schema.js'
import type { Superstep, Xxh128 } from './task-ids.js'
import type { Value } from './values.js'

/** One graph at one checkpoint: the outermost one, or a subgraph inside a task. */
export interface Level {
  readonly namespace: string
  readonly checkpoint: Checkpoint
  readonly metadata: Metadata
  readonly parentId: string | null
  readonly language: 'javascript' | 'python'
  /** what wrote the checkpoint: `json`, or `msgpack` in Python since the end of 2024 */
  readonly serializer: string
  /** its values lie apart from it: PostgreSQL */
  readonly isApart: boolean
  /** the superstep that comes next */
  readonly at: Superstep
  /** what its tasks have written so far, by task id; values are decoded when asked for */
  readonly writes: ReadonlyMap<string, readonly WriteRow[]>
  /** Sends that old layouts keep with the parent checkpoint */
  readonly parentSends: readonly WriteRow[]
}

/** What helps to name a task, beside the level itself. */
export interface Lookup {
  readonly hasNamespace: (namespace: string) => boolean
  /** the node whose subgraph is stored under this task's id, inside the graph of the namespace */
  readonly nodeOf: (namespace: string, taskId: string) => string | undefined
  /** names to try where the store holds only digests of them */
  readonly nodeNames: readonly string[]
}

export type LoadedLevel =
  | { readonly isReadable: true; readonly level: Level }
  | { readonly isReadable: false; readonly checkpointId: string; readonly unreadable: Unreadable }

/** The newest checkpoint of a namespace, or the one named; undefined where none is stored. */
export function loadLevel(
  rows: ThreadRows,
  namespace: string,
  options: { readonly xxh128: Xxh128; readonly checkpointId?: string },
): LoadedLevel | undefined {
  const row =
    options.checkpointId === undefined
      ? rows.newest(namespace)
      : rows.checkpoint(namespace, options.checkpointId)
  if (row === undefined) return undefined
  const parsed = parseCheckpoint(row)
  if (!parsed.isReadable) return { isReadable: false, checkpointId: row.checkpointId, unreadable: parsed }
  const checkpoint = parsed.value
  const metadata = parseMetadata(row.metadata)
  const language = languageOf(checkpoint, row.checkpoint.type)
  const hasParentSends = checkpoint.v < 4 && row.parentId !== null
  return {
    isReadable: true,
    level: {
      namespace,
      checkpoint,
      metadata,
      parentId: row.parentId,
      language,
      serializer: serializerOf(row),
      isApart: row.apart !== undefined,
      at: {
        language,
        v: checkpoint.v,
        checkpointId: checkpoint.id,
        namespace,
        step: (metadata.step ?? -1) + 1,
        xxh128: options.xxh128,
      },
      writes: byTask(rows.writes(namespace, row.checkpointId)),
      parentSends: hasParentSends
        ? rows.writes(namespace, row.parentId ?? '').filter(({ channel }) => channel === '__pregel_tasks')
        : [],
    },
  }
}

// PostgreSQL keeps the checkpoint itself as JSON whatever wrote it; the values beside it tell.
function serializerOf({ checkpoint, apart }: CheckpointRow): string {
  if (apart === undefined) return checkpoint.type ?? 'json'
  return apart.some(({ type }) => type === 'json') ? 'json' : 'msgpack'
}

function byTask(rows: readonly WriteRow[]): Map<string, WriteRow[]> {
  const tasks = new Map<string, WriteRow[]>()
  for (const row of rows) {
    const own = tasks.get(row.taskId)
    if (own === undefined) tasks.set(row.taskId, [row])
    else own.push(row)
  }
  return tasks
}

/** All rows of a level, of whatever task. */
export function allWrites({ writes }: Level): readonly WriteRow[] {
  return [...writes.values()].flat()
}

/** The decoded value of a row; undefined where it cannot be read. */
export function storedValue(row: WriteRow): Value | undefined {
  const decoded = decode(row.value)
  return decoded.isReadable ? decoded.value : undefined
}

// msgpack is Python's alone. JSON is what JavaScript writes, and what Python wrote before 2025; the time's offset tells.
function languageOf({ ts, versions }: Checkpoint, type: string | null): 'javascript' | 'python' {
  if (type !== null && type !== 'json') return 'python'
  if (ts?.endsWith('Z')) return 'javascript'
  const isText = [...versions.values()].some(version => typeof version === 'string')
  return isText || ts?.includes('+') ? 'python' : 'javascript'
}
