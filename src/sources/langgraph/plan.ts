import { branchTarget, isAvailable, isFresh, joinOf, START, TASKS } from './channels.js'
import { controlRows, entryTask } from './entrypoint.js'
import { allWrites, type Level, type Lookup, storedValue } from './level.js'
import type { WriteRow } from './rows.js'
import { sendOf } from './schema.js'
import { NULL_TASK, type Standing, standingOf } from './standing.js'
import { pullTaskId, pushTaskId, taskNamespace } from './task-ids.js'
import { items, type Value } from './values.js'

/** A task of the superstep that comes next. */
export interface Task {
  readonly node: string
  /** null for a functional entrypoint whose name is not stored: both hang on the name */
  readonly taskId: string | null
  readonly namespace: string | null
  /** the argument of a Send; other tasks are called with the state */
  readonly args?: Value
  readonly rows: readonly WriteRow[]
  readonly standing: Standing
}

/** How writes of no task (a Command's goto) count: not at all, as `getState` counts them, or as a resume does. */
export type NullWrites = 'ignore' | 'apply_unversioned' | 'apply'

/**
 * The tasks of the next superstep, Sends first and then nodes started by edges, as both languages order them. What a
 * node is, and whether the code still has it, is not stored: these are the names that the routing channels hold.
 */
export function planTasks(level: Level, lookup: Lookup, nullWrites: NullWrites): Task[] {
  const tasks: Task[] = []
  const add = (node: string, taskId: string | null, args?: Value) => {
    const rows = taskId === null ? controlRows(level) : (level.writes.get(taskId) ?? [])
    tasks.push({
      node,
      taskId,
      namespace: taskId === null ? null : taskNamespace(level.namespace, node, taskId),
      ...(args === undefined ? {} : { args }),
      rows,
      standing: standingOf(rows),
    })
  }
  const given = nullWrites === 'ignore' ? [] : (level.writes.get(NULL_TASK) ?? [])
  sendsOf(level, given).forEach((value, index) => {
    const send = sendOf(value)
    if (send) add(send.node, pushTaskId(level.at, send.node, index), send.args)
  })
  for (const [node, fresh] of startedNodes(level, given, nullWrites === 'apply'))
    if (fresh.includes(START)) {
      const entry = entryTask(level, lookup)
      add(entry.node, entry.taskId)
    } else add(node, pullId(level, { node, fresh, lookup }))
  return tasks
}

function sendsOf(level: Level, given: readonly WriteRow[]): readonly (Value | undefined)[] {
  const sent = given.filter(({ channel }) => channel === TASKS)
  // A Topic keeps only what was written to it last.
  if (sent.length > 0) return sent.map(storedValue)
  const old = level.parentSends.map(storedValue)
  return old.length > 0 ? old : items(level.checkpoint.values.get(TASKS))
}

/** Each node that a fresh channel starts, with those channels: its own branch first, then its joins. */
function startedNodes(
  { checkpoint }: Level,
  given: readonly WriteRow[],
  isVersioned: boolean,
): Map<string, string[]> {
  const goto = new Set(
    given.map(({ channel }) => channel).filter(channel => branchTarget(channel) !== undefined),
  )
  const started = new Map<string, string[]>()
  const start = (node: string, channel: string) => {
    const isGiven = goto.has(channel)
    if (!isGiven && !isAvailable(channel, checkpoint)) return
    if (!(isGiven && isVersioned) && !isFresh(channel, node, checkpoint)) return
    const fresh = started.get(node) ?? []
    if (fresh.includes(channel)) return
    started.set(node, branchTarget(channel) === undefined ? [...fresh, channel] : [channel, ...fresh])
  }
  for (const channel of [...checkpoint.values.keys(), ...goto]) {
    const node = branchTarget(channel) ?? joinOf(channel)?.node
    if (node !== undefined) start(node, channel)
  }
  // A functional entrypoint and a hand-made Pregel graph are started by channels of any name; those a node has consumed
  // before are recorded with it.
  if (isStartPending(checkpoint)) started.set(START, [START])
  for (const [node, versions] of checkpoint.seen) {
    if (node.startsWith('__')) continue
    for (const channel of versions.keys())
      if (channel !== START && branchTarget(channel) === undefined && !joinOf(channel)) start(node, channel)
  }
  return started
}

function isStartPending(checkpoint: Level['checkpoint']): boolean {
  const takers = [...checkpoint.seen].filter(([node, versions]) => !isInternal(node) && versions.has(START))
  const nodes = takers.length > 0 ? takers.map(([node]) => node) : [START]
  return isAvailable(START, checkpoint) && nodes.some(node => isFresh(START, node, checkpoint))
}

function isInternal(node: string): boolean {
  return node === '__input__' || node === '__interrupt__'
}

interface PullRequest {
  readonly node: string
  readonly fresh: readonly string[]
  readonly lookup: Lookup
}

/**
 * The id of a node's task. Which triggers go into it depends on the graph: a join that nobody has written to yet is not
 * in the checkpoint. So each possible set is tried, and the one that has left a trace is the right one.
 */
function pullId(level: Level, { node, fresh, lookup }: PullRequest): string {
  const fromPath = allWrites(level).find(({ taskPath }) => taskPath === `~__pregel_pull, ${node}`)
  if (fromPath) return fromPath.taskId
  const candidates = (
    level.language === 'javascript' ? jsTriggers(fresh) : pythonTriggers(level, node, fresh)
  ).map(triggers => pullTaskId(level.at, node, triggers))
  const traced = candidates.find(
    id => level.writes.has(id) || lookup.hasNamespace(taskNamespace(level.namespace, node, id)),
  )
  return traced ?? candidates[0] ?? pullTaskId(level.at, node, fresh)
}

// The first fresh trigger in the order of the graph, which for several joins is not known.
function jsTriggers(fresh: readonly string[]): string[][] {
  return [...fresh.map(channel => [channel]), [...fresh]]
}

const MAX_JOINS_TRIED = 6

function pythonTriggers(level: Level, node: string, fresh: readonly string[]): string[][] {
  const { values, versions, seen } = level.checkpoint
  const recorded = [...(seen.get(node)?.keys() ?? [])]
  const known = new Set([...values.keys(), ...versions.keys(), ...recorded])
  const joins = [...known].filter(channel => joinOf(channel)?.node === node)
  const others = [...fresh, ...recorded].filter(channel => !branchTarget(channel) && !joinOf(channel))
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
