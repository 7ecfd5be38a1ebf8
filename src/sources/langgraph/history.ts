import type { HistoryRow, ThreadRows, WriteKey } from './rows.js'
import { parseMetadata } from './schema.js'
import { INTERRUPT, isOutput, NULL_TASK } from './standing.js'

/** What the chain of checkpoints of the outermost graph tells, read from ids alone wherever that is enough. */
export interface History {
  /** checkpoints with more than one successor, and the newest checkpoint of each branch */
  readonly forks: readonly Fork[]
  /** steps that were run and never stored */
  readonly gaps: readonly Gap[]
  /** checkpoints that tasks wrote to and that are not stored themselves, newer than the newest one */
  readonly lostCheckpoints: readonly string[]
  /** questions under older checkpoints that no run ever answered */
  readonly abandonedQuestions: readonly WriteKey[]
  /** the checkpoint whose pending work a newer input or a person's update set aside */
  readonly setAside: SetAside | undefined
}

export interface Fork {
  readonly at: string
  readonly heads: readonly string[]
}

export interface Gap {
  /** null: nothing before is stored at all */
  readonly after: string | null
  readonly before: string
  readonly steps: number
}

export interface SetAside {
  readonly checkpointId: string
  readonly by: string
  readonly source: string
}

export interface HeadOfThread {
  readonly checkpointId: string
  readonly step: number | null
}

export function readHistory(rows: ThreadRows, head: HeadOfThread): History {
  const chain = rows.history('')
  const keys = rows.index().filter(({ namespace }) => namespace === '')
  return {
    forks: forksIn(chain),
    gaps: gapsIn(chain, head),
    lostCheckpoints: lostIn(chain, keys, head),
    abandonedQuestions: abandonedIn(keys, head),
    setAside: findSetAside(rows, chain, head),
  }
}

function forksIn(chain: readonly HistoryRow[]): Fork[] {
  const children = new Map<string, string[]>()
  for (const { checkpointId, parentId } of chain)
    if (parentId !== null) children.set(parentId, [...(children.get(parentId) ?? []), checkpointId])
  return [...children]
    .filter(([, successors]) => successors.length > 1)
    .map(([at, successors]) => ({ at, heads: successors.map(first => newestBelow(first, children)) }))
}

function newestBelow(first: string, children: ReadonlyMap<string, readonly string[]>): string {
  let id = first
  // Parent links of a crafted file may lead round in circles; newer ids only, and that ends.
  for (;;) {
    const newer = children.get(id)?.findLast(child => child > id)
    if (newer === undefined) return id
    id = newer
  }
}

function gapsIn(chain: readonly HistoryRow[], head: HeadOfThread): Gap[] {
  // Only where the id of the newest checkpoint carries its step, as both languages write it, do the others' ids count.
  if (head.step === null || stepInId(head.checkpointId) !== head.step) return []
  const stored = new Set(chain.map(({ checkpointId }) => checkpointId))
  return chain.flatMap(({ checkpointId, parentId }) => {
    const step = stepInId(checkpointId)
    const before = parentId === null || !stored.has(parentId) ? null : parentId
    const steps = step - (before === null ? -2 : stepInId(before)) - 1
    return steps > 0 ? [{ after: before, before: checkpointId, steps }] : []
  })
}

/** Both languages put the step into the clock sequence of the UUID, 14 bits wide: -1 is `bfff` or `ffff`. */
export function stepInId(checkpointId: string): number {
  const bits = Number.parseInt(checkpointId.slice(19, 23), 16) & 0x3fff
  return bits >= 0x3ff0 ? bits - 0x4000 : bits
}

function lostIn(chain: readonly HistoryRow[], keys: readonly WriteKey[], head: HeadOfThread): string[] {
  const stored = new Set(chain.map(({ checkpointId }) => checkpointId))
  const named = new Set(keys.map(({ checkpointId }) => checkpointId))
  return [...named].filter(id => id > head.checkpointId && !stored.has(id))
}

function abandonedIn(keys: readonly WriteKey[], head: HeadOfThread): WriteKey[] {
  const finished = new Set(
    keys.filter(isOutput).map(({ checkpointId, taskId }) => `${checkpointId} ${taskId}`),
  )
  return keys.filter(
    ({ channel, checkpointId, taskId }) =>
      channel === INTERRUPT &&
      checkpointId !== head.checkpointId &&
      !finished.has(`${checkpointId} ${taskId}`),
  )
}

// Reading a checkpoint's metadata leads SQLite through all pages of the values before it, so the way back is bounded.
const MAX_STEPS_BACK = 200
const MAX_BYTES_BACK = 32 * 1024 * 1024

function findSetAside(
  rows: ThreadRows,
  chain: readonly HistoryRow[],
  head: HeadOfThread,
): SetAside | undefined {
  const parents = new Map(chain.map(({ checkpointId, parentId }) => [checkpointId, parentId]))
  let id = head.checkpointId
  let bytes = 0
  for (let steps = 0; steps < MAX_STEPS_BACK; steps++) {
    const parentId = parents.get(id)
    bytes += rows.bytes('', id)
    if (parentId === null || parentId === undefined || parentId >= id || bytes > MAX_BYTES_BACK)
      return undefined
    const stored = rows.metadata('', id)
    const source = stored && parseMetadata(stored).source
    if (source === 'input' || source === 'update' || source === 'fork')
      return { checkpointId: parentId, by: id, source }
    id = parentId
  }
  return undefined
}

/** All task ids that have left a row anywhere in the thread, and those that subgraphs are named after. */
export function knownTaskIds(rows: ThreadRows): Set<string> {
  const ids = new Set<string>()
  for (const { taskId } of rows.index()) if (taskId !== NULL_TASK) ids.add(taskId)
  for (const namespace of rows.namespaces())
    for (const part of namespace.split('|'))
      if (part.includes(':')) ids.add(part.slice(part.indexOf(':') + 1))
  return ids
}
