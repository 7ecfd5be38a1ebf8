import type { CheckpointThread } from '../../../src/core/checkpoint.js'
import type { Encoded, ThreadRows, WriteRow } from '../../../src/sources/langgraph/rows.js'
import { loadXxh128, pullTaskId, type Superstep } from '../../../src/sources/langgraph/task-ids.js'
import { readThread, type ThreadReading } from '../../../src/sources/langgraph/thread.js'

export const xxh128 = await loadXxh128()

export interface CheckpointGiven {
  readonly namespace?: string
  /** makes the id; a later checkpoint has a higher number */
  readonly n?: number
  readonly parent?: number | null
  readonly v?: number
  readonly ts?: string
  readonly source?: string
  readonly step?: number
  readonly parents?: Record<string, string>
  readonly values?: Record<string, unknown>
  readonly versions?: Record<string, number>
  readonly seen?: Record<string, Record<string, number>>
  /** instead of all that: the stored bytes */
  readonly stored?: Encoded
}

export interface WriteGiven {
  readonly namespace?: string
  readonly at?: number
  readonly task: string
  readonly channel: string
  readonly value?: unknown
  readonly index?: number
  readonly stored?: Encoded
}

/** The id of checkpoint n at a step; the step stands in the clock sequence, as the libraries write it. */
export function checkpointId(n: number, step: number): string {
  const sequence = step < 0 ? 'ffff' : (0x8000 + step).toString(16)
  return `1f1ebf0a-${String(n).padStart(4, '0')}-6600-${sequence}-4a0b122dfa49`
}

/** A thread whose newest checkpoint starts node n2 at step 2, unless told otherwise. */
export function threadOf(given: {
  checkpoints?: readonly CheckpointGiven[]
  writes?: readonly WriteGiven[]
  nodeNames?: readonly string[]
}): { thread: CheckpointThread; reading: ThreadReading; codes: string[] } {
  const reading = readThread(rowsOf(given.checkpoints ?? [{}], given.writes ?? []), {
    xxh128,
    nodeNames: given.nodeNames ?? [],
    fileWarnings: [],
  })
  return { thread: reading.thread, reading, codes: reading.thread.warnings.map(({ code }) => code) }
}

/** The id of the task that `branch:to:node` starts at the newest checkpoint of `threadOf`. */
export function taskId(
  node: string,
  at: Partial<Superstep> & { n?: number; triggers?: readonly string[] } = {},
): string {
  const step = at.step ?? 2
  return pullTaskId(
    {
      language: 'javascript',
      v: 4,
      namespace: '',
      step,
      checkpointId: checkpointId(at.n ?? 2, step - 1),
      xxh128,
      ...at,
    },
    node,
    at.triggers ?? [`branch:to:${node}`],
  )
}

export function json(value: unknown): Encoded {
  return { type: 'json', bytes: Buffer.from(JSON.stringify(value) ?? 'null') }
}

export function rowsOf(checkpoints: readonly CheckpointGiven[], writes: readonly WriteGiven[]): ThreadRows {
  const stored = checkpoints.map(storedCheckpoint).sort((a, b) => (a.checkpointId < b.checkpointId ? -1 : 1))
  const written = writes.map((write, order) => storedWrite(write, order + 1, stored))
  const of = (namespace: string) => stored.filter(row => row.namespace === namespace)
  return {
    threadId: 't1',
    newest: namespace => of(namespace).at(-1),
    checkpoint: (namespace, id) => of(namespace).find(({ checkpointId }) => checkpointId === id),
    writes: (namespace, id) =>
      written.filter(row => row.namespace === namespace && row.checkpointId === id).map(({ row }) => row),
    hasNamespace: namespace => of(namespace).length > 0,
    namespaces: () => [...new Set(stored.map(({ namespace }) => namespace))],
    persistentNamespaces: () =>
      stored
        .map(({ namespace }) => namespace)
        .filter(namespace => namespace !== '' && !namespace.includes(':')),
    history: of,
    metadata: (namespace, id) => of(namespace).find(({ checkpointId }) => checkpointId === id)?.metadata,
    bytes: () => 100,
    index: () => written.map(({ namespace, checkpointId, row }) => ({ namespace, checkpointId, ...row })),
  }
}

function storedCheckpoint(given: CheckpointGiven) {
  const { namespace = '', n = 2, step = 1, source = 'loop', parents = {} } = given
  const id = checkpointId(n, step)
  const { v = 4, ts = '2026-11-29T12:00:00.000Z', values = { 'branch:to:n2': null }, seen = {} } = given
  const versions = given.versions ?? Object.fromEntries(Object.keys(values).map(channel => [channel, 2]))
  const parent = given.parent === undefined ? null : given.parent
  return {
    n,
    namespace,
    checkpointId: id,
    parentId: parent === null ? null : checkpointId(parent, step - 1),
    checkpoint:
      given.stored ??
      json({ v, id, ts, channel_values: values, channel_versions: versions, versions_seen: seen }),
    metadata: json({ source, step, parents }),
  }
}

/** Where the savers of today put control rows. */
const PINNED: Readonly<Record<string, number>> = { __error__: -1, __interrupt__: -3, __resume__: -4 }

function storedWrite(
  given: WriteGiven,
  order: number,
  stored: readonly { n: number; namespace: string; checkpointId: string }[],
): { namespace: string; checkpointId: string; row: WriteRow } {
  const { namespace = '', at, task, channel, value = null, index = PINNED[channel] ?? 0 } = given
  const own = stored.filter(row => row.namespace === namespace)
  const checkpoint = at === undefined ? own.at(-1) : own.find(row => row.n === at)
  const id = checkpoint?.checkpointId ?? checkpointId(at ?? 2, 1)
  const row = { taskId: task, taskPath: '', index, channel, value: given.stored ?? json(value), order }
  return { namespace, checkpointId: id, row }
}
