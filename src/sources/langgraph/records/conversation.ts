import { decode } from '../decode/index.js'
import type { PlannedLevel } from '../map.js'
import { type Message, messagesIn } from '../messages.js'
import type { ThreadRows } from '../rows.js'
import { parseCheckpoint } from '../schema.js'
import { isOutput, isRouting, NULL_TASK } from '../standing.js'
import { updateStateTaskId } from '../task-ids.js'
import type { Value } from '../values.js'

/** A message, and where it is stored. */
export interface Spoken {
  readonly message: Message
  readonly namespace: string
  /** the checkpoint that its task started from; of a message known from the state alone, the one that holds it */
  readonly checkpointId: string
  /** null: known from the state alone */
  readonly taskId: string | null
  /** written by a person's update of the state, or by the input, not by a node */
  readonly isByHand: boolean
}

/**
 * What was said in a thread, on all its branches and in all its subgraphs, the oldest first. Writes are never deleted, so
 * they hold what was said since the first checkpoint; the newest state holds what a run with durability "exit" stored
 * without its writes, and what stood in the input.
 */
export function conversationOf(rows: ThreadRows, levels: readonly PlannedLevel[]): Spoken[] {
  const spoken = [...writtenIn(rows)]
  for (const level of statesOf(rows, levels)) addUnwritten(spoken, level)
  return spoken
}

function* writtenIn(rows: ThreadRows): Iterable<Spoken> {
  const groups = new Map<string, { namespace: string; checkpointId: string }>()
  for (const { namespace, checkpointId } of rows.index())
    groups.set(`${checkpointId} ${namespace}`, { namespace, checkpointId })
  for (const [, { namespace, checkpointId }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const byHand = new Set([NULL_TASK, updateStateTaskId(checkpointId)])
    for (const row of [...rows.writes(namespace, checkpointId)].sort((a, b) => a.order - b.order)) {
      if (!isOutput(row) || isRouting(row, '')) continue
      const decoded = decode(row.value)
      for (const message of decoded.isReadable ? messagesIn(decoded.value) : [])
        yield { message, namespace, checkpointId, taskId: row.taskId, isByHand: byHand.has(row.taskId) }
    }
  }
}

interface State {
  readonly namespace: string
  readonly checkpointId: string
  readonly values: ReadonlyMap<string, Value>
}

/** The newest state of the outermost graph, of subgraphs that have begun and of those that keep theirs. */
function statesOf(rows: ThreadRows, levels: readonly PlannedLevel[]): State[] {
  const read = levels.map(({ level }) => ({
    namespace: level.namespace,
    checkpointId: level.checkpoint.id,
    values: level.checkpoint.values,
  }))
  const others = rows.persistentNamespaces().flatMap((namespace): State[] => {
    const row = read.some(state => state.namespace === namespace) ? undefined : rows.newest(namespace)
    const parsed = row && parseCheckpoint(row)
    return row && parsed?.isReadable
      ? [{ namespace, checkpointId: row.checkpointId, values: parsed.value.values }]
      : []
  })
  return [...read, ...others]
}

// The same message has no id where a node wrote it and one in the state, so of each call and each answer the state adds
// what it holds more often.
function addUnwritten(spoken: Spoken[], { namespace, checkpointId, values }: State): void {
  const count = (list: readonly Message[]) => {
    const counts = new Map<string, number>()
    for (const key of list.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }
  const written = count(spoken.map(({ message }) => message))
  const met = new Map<string, number>()
  const missing: Spoken[] = []
  for (const value of values.values())
    for (const message of messagesIn(value)) {
      const keys = keysOf(message)
      for (const key of keys) met.set(key, (met.get(key) ?? 0) + 1)
      if (keys.some(key => (met.get(key) ?? 0) > (written.get(key) ?? 0)))
        missing.push({ message, namespace, checkpointId, taskId: null, isByHand: false })
    }
  // Calls before the answers to them, and both before what was written later.
  spoken.unshift(...missing)
}

function keysOf(message: Message): string[] {
  if (message.kind === 'tool') return [`answer ${message.callId}`]
  return message.calls.map(({ id }) => `call ${id}`)
}
