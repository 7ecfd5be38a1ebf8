import { branchTarget, joinOf } from './channels.js'
import { allWrites, type Level, type Lookup } from './level.js'
import { pullTaskId, type Superstep, taskNamespace } from './task-ids.js'

export interface PullRequest {
  readonly node: string
  /** the channels that start it now */
  readonly fresh: readonly string[]
  readonly lookup: Lookup
}

/**
 * The id of a node's task. Which triggers go into it depends on the graph: a join that nobody has written to yet is not
 * in the checkpoint. So each possible set is tried, and the one that has left a trace is the right one.
 */
export function pullId(level: Level, { node, fresh, lookup }: PullRequest): string {
  const fromPath = allWrites(level).find(({ taskPath }) => taskPath === `~__pregel_pull, ${node}`)
  if (fromPath) return fromPath.taskId
  const sets = level.language === 'javascript' ? jsTriggers(fresh) : pythonTriggers(level, node, fresh)
  const candidates = supersteps(level).flatMap(at => sets.map(triggers => pullTaskId(at, node, triggers)))
  return (
    candidates.find(id => hasTrace(level, node, id, lookup)) ??
    candidates[0] ??
    pullTaskId(level.at, node, fresh)
  )
}

export function hasTrace(level: Level, node: string, taskId: string, { hasNamespace }: Lookup): boolean {
  return level.writes.has(taskId) || hasNamespace(taskNamespace(level.namespace, node, taskId))
}

/** Python before 0.3 hashed with SHA-1 whatever the layout said; layout 1 stands for that here. */
export function supersteps({ at }: Level): Superstep[] {
  return at.language === 'python' && at.v === 2 ? [at, { ...at, v: 1 }] : [at]
}

// The first fresh trigger in the order of the graph, which for several joins is not known; older ones took all of them.
function jsTriggers(fresh: readonly string[]): string[][] {
  return [...fresh.map(channel => [channel]), [...fresh]]
}

const MAX_JOINS_TRIED = 6

function pythonTriggers(level: Level, node: string, fresh: readonly string[]): string[][] {
  const { v, values, versions, seen } = level.checkpoint
  if (v < 3) return [[...fresh]]
  const recorded = [...(seen.get(node)?.keys() ?? [])]
  const known = new Set([...values.keys(), ...versions.keys(), ...recorded])
  const joins = [...known].filter(channel => joinOf(channel)?.node === node)
  const others = [...fresh, ...recorded].filter(channel => !branchTarget(channel, v) && !joinOf(channel))
  if (others.length > 0) return [[...new Set(others)], [...fresh]]
  const branch = `branch:to:${node}`
  return subsets(joins.slice(0, MAX_JOINS_TRIED)).flatMap(some => [[branch, ...some], some])
}

/** All subsets, the whole first. */
function subsets(all: readonly string[]): string[][] {
  const [first, ...rest] = all
  if (first === undefined) return [[]]
  const without = subsets(rest)
  return [...without.map(some => [first, ...some]), ...without]
}
