import { START } from './channels.js'
import { allWrites, type Level, type Lookup, storedValue } from './level.js'
import type { WriteRow } from './rows.js'
import { interruptOf } from './schema.js'
import { INTERRUPT, isInterruptId, isOutput, NULL_TASK } from './standing.js'
import { callTaskId, interruptId, pullTaskId, taskNamespace, updateStateTaskId } from './task-ids.js'
import { items } from './values.js'

export interface EntryTask {
  /** `__start__` for a StateGraph, and for a functional entrypoint whose name the store does not hold */
  readonly node: string
  /** null for an entrypoint without a name: its id is a hash of the name */
  readonly taskId: string | null
}

/**
 * What takes the input. A StateGraph has the node `__start__` for it. A functional entrypoint takes it itself, and on its
 * first run its name is stored only inside hashes: a name is believed when one of these hashes proves it.
 */
export function entryTask(level: Level, lookup: Lookup): EntryTask {
  const start = { node: START, taskId: pullTaskId(level.at, START, [START]) }
  if (level.writes.has(start.taskId)) return start
  const ran = [...level.checkpoint.seen].find(([node, seen]) => !node.startsWith('__') && seen.has(START))
  if (ran) return entry(level, ran[0])
  const [fromPath] = allWrites(level).flatMap(
    ({ taskPath }) => /^~__pregel_pull, ([^,]+)$/.exec(taskPath)?.[1] ?? [],
  )
  if (fromPath !== undefined) return entry(level, fromPath)
  const proven = lookup.nodeNames.find(name => isProven(level, entry(level, name), lookup))
  if (proven !== undefined) return entry(level, proven)
  // A StateGraph's own first task would have been found by its id; so whatever has written is an entrypoint or its tasks.
  return hasWriters(level) ? { node: START, taskId: null } : start
}

/** The questions and errors of an entrypoint without a name: all that stand under ids of no known task. */
export function controlRows(level: Level): WriteRow[] {
  return allWrites(level).filter(row => isTaskRow(row, level) && !isOutput(row))
}

// Each call is tried by its place among the calls; an entrypoint with more of them shows the rest without names.
const MAX_CALLS_TRIED = 1000

/** The names among those given that stand behind the results of sub-tasks, by task id. */
export function namedCalls(
  level: Level,
  { node, taskId }: EntryTask,
  names: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>()
  if (taskId === null) return found
  for (const task of names)
    for (let n = 0; n < Math.min(level.writes.size, MAX_CALLS_TRIED); n++) {
      const id = callTaskId(level.at, { entry: node, entryTaskId: taskId, task, n })
      if (level.writes.has(id)) found.set(id, task)
    }
  return found
}

function hasWriters(level: Level): boolean {
  return allWrites(level).some(row => isTaskRow(row, level))
}

function isTaskRow({ taskId }: WriteRow, { checkpoint }: Level): boolean {
  return taskId !== NULL_TASK && !isInterruptId(taskId) && taskId !== updateStateTaskId(checkpoint.id)
}

function entry(level: Level, node: string): EntryTask & { readonly taskId: string } {
  return { node, taskId: pullTaskId(level.at, node, [START]) }
}

function isProven(
  level: Level,
  { node, taskId }: EntryTask & { readonly taskId: string },
  lookup: Lookup,
): boolean {
  const namespace = taskNamespace(level.namespace, node, taskId)
  if (level.writes.has(taskId) || lookup.hasNamespace(namespace)) return true
  const asked = allWrites(level)
    .filter(({ channel }) => channel === INTERRUPT)
    .flatMap(row => items(storedValue(row)).map(value => interruptOf(value).id))
  if (asked.includes(interruptId(level.at.xxh128, namespace, 0))) return true
  return namedCalls(level, { node, taskId }, lookup.nodeNames).size > 0
}
