import type {
  CheckpointError,
  CheckpointInterrupt,
  CheckpointWarning,
  EnclosingNode,
  SavedTask,
  WillRun,
} from '../../core/checkpoint.js'
import { entryTask, namedCalls } from './entrypoint.js'
import { followingNodes } from './following.js'
import { interruptsOf } from './interrupts.js'
import { type Level, type LoadedLevel, type Lookup, loadLevel, storedValue } from './level.js'
import { levelWarnings, unreadableLevel } from './level-warnings.js'
import { planTasks, type Task, untoldIn } from './plan.js'
import { clip, presentValue } from './present.js'
import type { ThreadRows } from './rows.js'
import { errorText } from './schema.js'
import { ERROR, isInterruptId, isOutput, NULL_TASK, standingOf } from './standing.js'
import { isStartPending } from './started-nodes.js'
import {
  errorHandlerOf,
  errorHandlerTaskId,
  taskNamespace,
  updateStateTaskId,
  type Xxh128,
} from './task-ids.js'

export interface MapContext {
  readonly rows: ThreadRows
  readonly xxh128: Xxh128
  readonly lookup: Lookup
}

/** What one graph and the subgraphs inside its tasks tell together. */
export interface Mapped {
  readonly willRun: readonly WillRun[]
  readonly enclosing: readonly EnclosingNode[]
  readonly saved: readonly SavedTask[]
  readonly interrupts: readonly CheckpointInterrupt[]
  readonly errors: readonly CheckpointError[]
  readonly warnings: readonly CheckpointWarning[]
  /** every level that was read, the outermost first, with the tasks of its next superstep */
  readonly levels: readonly PlannedLevel[]
}

export interface PlannedLevel {
  readonly level: Level
  readonly tasks: readonly Task[]
  /** ids of tasks that have written and are none of `tasks` */
  readonly unmatched: readonly string[]
  /** tasks that asked or failed and are none of `tasks` */
  readonly strays: readonly Stray[]
  /** channels of an old layout that lead to nodes only the graph knows */
  readonly untold: readonly string[]
  /** names of sub-tasks of a functional entrypoint, by task id */
  readonly calls: ReadonlyMap<string, string>
}

/** Rows under an id that no known node has; their questions and errors are shown all the same. */
export type Stray = Pick<Task, 'rows' | 'standing'> & { readonly node: null }

// Deeper than any real nesting; a crafted file could otherwise name subgraphs without end.
const MAX_NESTING = 32

/**
 * From rows to what would run on a resume without new input: the tasks of the superstep that comes next, less those whose
 * results are stored, and the same again inside the subgraphs that such a task has begun.
 */
export function mapLevel(level: Level, context: MapContext, around: readonly Level[] = []): Mapped {
  const levels = [...around, level]
  const tasks = planTasks(level, context.lookup, 'apply')
  const planned = planLevel(level, tasks, context)
  const parts: Mapped[] = [ownPart(planned, levels)]
  for (const task of tasks)
    if (task.standing === 'handled') parts.push(handlerPart(task, level))
    else if (runsAgain(task)) parts.push(taskPart(task, context, levels))
  if (tasks.length > 0 && tasks.every(({ standing }) => standing === 'saved'))
    parts.push(followingPart(level, tasks))
  return merge(parts)
}

function runsAgain({ standing }: Task): boolean {
  return standing !== 'saved' && standing !== 'handled'
}

function planLevel(level: Level, tasks: readonly Task[], { lookup }: MapContext): PlannedLevel {
  const calls = isStartPending(level.checkpoint)
    ? namedCalls(level, entryTask(level, lookup), lookup.nodeNames)
    : new Map<string, string>()
  const explained = new Set([
    NULL_TASK,
    updateStateTaskId(level.checkpoint.id),
    ...tasks.flatMap(({ node, taskId }) =>
      taskId === null ? [] : [taskId, errorHandlerTaskId(level.at, node, taskId)],
    ),
  ])
  const strange = [...level.writes].filter(([id]) => !explained.has(id) && !isInterruptId(id))
  const isEntryUnnamed = tasks.some(({ taskId }) => taskId === null)
  return {
    level,
    tasks,
    unmatched: strange.filter(([, rows]) => rows.some(isOutput)).map(([id]) => id),
    strays: isEntryUnnamed
      ? []
      : strange.map(([, rows]) => ({ node: null, rows, standing: standingOf(rows) })),
    untold: untoldIn(level, tasks),
    calls,
  }
}

function ownPart(planned: PlannedLevel, levels: readonly Level[]): Mapped {
  const { tasks, unmatched, strays, calls } = planned
  return {
    ...EMPTY,
    saved: [
      ...tasks
        .filter(({ standing }) => standing === 'saved')
        .flatMap(({ node, taskId }) => (taskId === null ? [] : [{ node, task_id: taskId }])),
      ...unmatched.map(taskId => ({ node: calls.get(taskId) ?? null, task_id: taskId })),
    ],
    interrupts: [...tasks.filter(task => !runsAgain(task)), ...strays].flatMap(task =>
      interruptsOf(task, levels),
    ),
    errors: [...tasks, ...strays].flatMap(errorsOf),
    warnings: levelWarnings(planned),
    levels: [planned],
  }
}

function errorsOf({ node, rows }: Task | Stray): CheckpointError[] {
  return rows
    .filter(({ channel }) => channel === ERROR)
    .map(row => {
      const value = storedValue(row)
      const text = value === undefined ? 'an error that cannot be read' : clip(errorText(value))
      return { node, task_id: row.taskId, text }
    })
}

/** Saved results count also where the handler has written: it is scheduled anew (langgraph#9002). */
function handlerPart({ node, taskId }: Task, level: Level): Mapped {
  const handler = errorHandlerOf(node)
  if (taskId === null) return EMPTY
  const handlerId = errorHandlerTaskId(level.at, node, taskId)
  return {
    ...EMPTY,
    willRun: [
      {
        node: handler,
        task_id: handlerId,
        namespace: taskNamespace(taskNamespace(level.namespace, node, taskId), handler, handlerId),
        reason: 'error_handler',
      },
    ],
  }
}

function taskPart(task: Task, context: MapContext, levels: readonly Level[]): Mapped {
  const begun = levels.length >= MAX_NESTING ? [] : subgraphsOf(task, context, levels)
  const within = merge(begun.map(loaded => innerPart(loaded, context, levels)))
  const inner = { ...within, interrupts: [...ownQuestions(task, levels, within), ...within.interrupts] }
  if (inner.willRun.length > 0 && task.namespace !== null)
    return { ...inner, enclosing: [{ node: task.node, namespace: task.namespace }, ...inner.enclosing] }
  const { node, taskId, namespace, args, standing } = task
  const reason = standing === 'interrupted' || standing === 'errored' ? standing : 'not_finished'
  const own: WillRun = {
    node,
    task_id: taskId,
    namespace,
    reason,
    ...(args === undefined ? {} : { args: presentValue(args) }),
  }
  return { ...inner, willRun: [own] }
}

/** A question inside a subgraph is stored for each task around it too; it is shown once, with the node that asked. */
function ownQuestions(task: Task, levels: readonly Level[], within: Mapped): CheckpointInterrupt[] {
  const asked = interruptsOf(task, levels)
  const inside = new Set(within.interrupts.map(({ id }) => id))
  return inside.size === 0 ? asked : asked.filter(({ id }) => id !== null && !inside.has(id))
}

function innerPart(loaded: LoadedLevel, context: MapContext, levels: readonly Level[]): Mapped {
  return loaded.isReadable
    ? mapLevel(loaded.level, context, levels)
    : { ...EMPTY, warnings: [unreadableLevel(loaded)] }
}

/**
 * The subgraphs a task has begun: `node:task`, for further calls in the same task `node:task|1`, `|2`, …; and the one
 * that keeps its state under the bare name of the node, where it belongs to this very checkpoint.
 */
function subgraphsOf(task: Task, context: MapContext, levels: readonly Level[]): LoadedLevel[] {
  const found: LoadedLevel[] = []
  const { namespace } = task
  if (namespace === null) return found
  for (let n = 0; ; n++) {
    const loaded = loadLevel(context.rows, n === 0 ? namespace : `${namespace}|${n}`, context)
    if (loaded === undefined) break
    found.push(loaded)
  }
  const outer = levels.at(-1)
  const bare = namespace
    .split('|')
    .map(part => part.slice(0, part.includes(':') ? part.indexOf(':') : undefined))
    .filter(part => !/^\d+$/.test(part))
    .join('|')
  const persistent = loadLevel(context.rows, bare, context)
  if (persistent && (!persistent.isReadable || belongsTo(persistent.level, outer))) found.push(persistent)
  return found
}

function belongsTo({ metadata }: Level, outer: Level | undefined): boolean {
  return outer !== undefined && metadata.parents.get(outer.namespace) === outer.checkpoint.id
}

function followingPart(level: Level, tasks: readonly Task[]): Mapped {
  return {
    ...EMPTY,
    willRun: followingNodes(level, tasks).map(({ node, args }) => ({
      node,
      task_id: null,
      namespace: null,
      reason: 'following' as const,
      ...(args === undefined ? {} : { args: presentValue(args) }),
    })),
  }
}

const EMPTY: Mapped = {
  willRun: [],
  enclosing: [],
  saved: [],
  interrupts: [],
  errors: [],
  warnings: [],
  levels: [],
}

function merge(parts: readonly Mapped[]): Mapped {
  return {
    willRun: parts.flatMap(part => part.willRun),
    enclosing: parts.flatMap(part => part.enclosing),
    saved: parts.flatMap(part => part.saved),
    interrupts: parts.flatMap(part => part.interrupts),
    errors: parts.flatMap(part => part.errors),
    warnings: parts.flatMap(part => part.warnings),
    levels: parts.flatMap(part => part.levels),
  }
}
