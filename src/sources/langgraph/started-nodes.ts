import { branchTarget, isAvailable, isFresh, joinOf, START } from './channels.js'
import type { WriteRow } from './rows.js'
import type { Checkpoint } from './schema.js'

/**
 * Each node that a fresh channel starts, with those channels: its own branch first, then its joins, then any other.
 * `given`: writes of no task, such as a Command's goto; `isVersioned` where a resume gives their channels a new version.
 */
export function startedNodes(
  checkpoint: Checkpoint,
  given: readonly WriteRow[],
  isVersioned: boolean,
): Map<string, string[]> {
  const isBranch = (channel: string) => branchTarget(channel, checkpoint.v) !== undefined
  const goto = new Set(given.map(({ channel }) => channel).filter(isBranch))
  const started = new Map<string, string[]>()
  const start = (node: string, channel: string) => {
    const isGiven = goto.has(channel)
    if (!isGiven && !isAvailable(channel, checkpoint)) return
    if (!(isGiven && isVersioned) && !isFresh(channel, node, checkpoint)) return
    const fresh = started.get(node) ?? []
    if (fresh.includes(channel)) return
    started.set(node, isBranch(channel) ? [channel, ...fresh] : [...fresh, channel])
  }
  for (const channel of [...checkpoint.values.keys(), ...goto]) {
    const node = branchTarget(channel, checkpoint.v) ?? joinOf(channel)?.node
    if (node !== undefined) start(node, channel)
  }
  if (isStartPending(checkpoint)) started.set(START, [START])
  // A functional entrypoint, a hand-made Pregel graph and layouts before 3 have channels of any name as triggers; those
  // that a node has consumed before are recorded with it.
  for (const [node, versions] of checkpoint.seen) {
    if (node.startsWith('__')) continue
    for (const channel of versions.keys())
      if (channel !== START && !isBranch(channel) && !joinOf(channel)) start(node, channel)
  }
  return started
}

/** Is there an input that no node has taken yet? */
export function isStartPending(checkpoint: Checkpoint): boolean {
  const takers = [...checkpoint.seen].filter(([node, versions]) => !isInternal(node) && versions.has(START))
  const nodes = takers.length > 0 ? takers.map(([node]) => node) : [START]
  return isAvailable(START, checkpoint) && nodes.some(node => isFresh(START, node, checkpoint))
}

/**
 * Layouts before 3 name the channel that a node's edges leave by after the node itself. Whether anything listens to it, and
 * what, is only in the graph: these are such channels that no known node takes.
 */
export function untoldRoutes(checkpoint: Checkpoint, taken: ReadonlySet<string>): string[] {
  if (checkpoint.v >= 3) return []
  return [...checkpoint.seen.keys()].filter(
    node => !node.startsWith('__') && isAvailable(node, checkpoint) && !taken.has(node),
  )
}

function isInternal(node: string): boolean {
  return node === '__input__' || node === '__interrupt__'
}
