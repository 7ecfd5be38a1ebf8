import { TASKS } from './channels.js'
import { controlRows, entryTask } from './entrypoint.js'
import { type Level, type Lookup, storedValue } from './level.js'
import { hasTrace, pullId, supersteps } from './pull-id.js'
import type { WriteRow } from './rows.js'
import { sendOf } from './schema.js'
import { NULL_TASK, type Standing, standingOf } from './standing.js'
import { startedNodes, untoldRoutes } from './started-nodes.js'
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
  const { checkpoint, at } = level
  const tasks: Task[] = []
  const add = (node: string, taskId: string | null, args?: Value) => {
    tasks.push(taskOf(level, { node, taskId, ...(args === undefined ? {} : { args }) }))
  }
  const given = nullWrites === 'ignore' ? [] : (level.writes.get(NULL_TASK) ?? [])
  sendsOf(level, given).forEach((value, index) => {
    const send = sendOf(value)
    if (!send) return
    const ids = supersteps(level).map(superstep => pushTaskId(superstep, send.node, index))
    const traced = ids.find(id => hasTrace(level, send.node, id, lookup))
    add(send.node, traced ?? pushTaskId(at, send.node, index), send.args)
  })
  const started = startedNodes(checkpoint, given, nullWrites === 'apply')
  for (const [node, fresh] of started)
    if (fresh.includes('__start__')) {
      const entry = entryTask(level, lookup)
      add(entry.node, entry.taskId)
    } else add(node, pullId(level, { node, fresh, lookup }))
  for (const { node, taskId } of tracedNodes(level, lookup, tasks)) add(node, taskId)
  return tasks
}

/** The channels of an old layout that may lead to more; to what cannot be told without the graph. */
export function untoldIn({ checkpoint }: Level, tasks: readonly Task[]): string[] {
  const started = startedNodes(checkpoint, [], false)
  const isTraced = tasks.some(({ node }) => !started.has(node))
  return isTraced ? [] : untoldRoutes(checkpoint, new Set([...started.values()].flat()))
}

function taskOf(
  level: Level,
  { node, taskId, args }: { node: string; taskId: string | null; args?: Value },
): Task {
  const rows = taskId === null ? controlRows(level) : (level.writes.get(taskId) ?? [])
  return {
    node,
    taskId,
    namespace: taskId === null ? null : taskNamespace(level.namespace, node, taskId),
    ...(args === undefined ? {} : { args }),
    rows,
    standing: standingOf(rows),
  }
}

function sendsOf(level: Level, given: readonly WriteRow[]): readonly (Value | undefined)[] {
  const sent = given.filter(({ channel }) => channel === TASKS)
  // A Topic keeps only what was written to it last.
  if (sent.length > 0) return sent.map(storedValue)
  if (level.checkpoint.pendingSends.length > 0) return level.checkpoint.pendingSends
  const old = level.parentSends.map(storedValue)
  return old.length > 0 ? old : items(level.checkpoint.values.get(TASKS))
}

/**
 * Nodes that have begun, though no channel known here starts them: a subgraph's namespace spells the name beside the id,
 * and in layouts before 3 a name given by the caller is proven by the id of what it has written.
 */
function tracedNodes(
  level: Level,
  lookup: Lookup,
  planned: readonly Task[],
): { node: string; taskId: string }[] {
  const known = new Set(planned.flatMap(({ taskId }) => taskId ?? []))
  const strange = [...level.writes.keys()].filter(id => id !== NULL_TASK && !known.has(id))
  if (strange.length === 0) return []
  const found = strange.flatMap(taskId => {
    const node = lookup.nodeOf(level.namespace, taskId)
    return node === undefined ? [] : [{ node, taskId }]
  })
  if (level.checkpoint.v >= 3) return found
  const routes = untoldRoutes(level.checkpoint, new Set())
  for (const node of lookup.nodeNames)
    for (const at of supersteps(level))
      for (const route of routes) {
        const taskId = pullTaskId(at, node, [route])
        if (strange.includes(taskId)) found.push({ node, taskId })
      }
  return found
}
