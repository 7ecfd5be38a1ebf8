import type { Level, Lookup } from './level.js'
import { planTasks, type Task } from './plan.js'
import { ERROR, ERROR_SOURCE, INTERRUPT, RESUME } from './standing.js'

/**
 * What `getState().next` answers: the tasks for which nothing is stored that it takes for a result. JavaScript 1.7.3 and
 * Python up to 1.2.12 take answers and handled errors for results; Python from 1.2.14 on does not. A Python store names
 * no version, so an answered question counts as the older ones do unless the ids prove a newer one.
 */
export function getStateNext(level: Level, lookup: Lookup, isNewPython: boolean): string[] {
  const tasks = tasksOfGetState(level, lookup)
  // The Python of 2024 that still wrote JSON took no writes into account at all (seen with 0.2.28).
  if (level.language === 'python' && level.serializer === 'json') return tasks.map(({ node }) => node)
  return tasks
    .filter(
      task =>
        !isFinished(task, level.language === 'javascript' ? 'javascript' : isNewPython ? 'newest' : 'mixed'),
    )
    .map(({ node }) => node)
}

/** Do the versions of Python's library differ in their answer for this level? */
export function isVersionDependent(level: Level, lookup: Lookup, isNewPython: boolean): boolean {
  if (level.language === 'javascript' || isNewPython) return false
  return tasksOfGetState(level, lookup).some(
    task => isFinished(task, 'oldest') !== isFinished(task, 'newest'),
  )
}

function tasksOfGetState(level: Level, lookup: Lookup): Task[] {
  return planTasks(level, lookup, level.language === 'javascript' ? 'apply_unversioned' : 'ignore')
}

type Counting = 'javascript' | 'oldest' | 'mixed' | 'newest'

// Per rule: the channels that do not make a task finished. "mixed" is the answer where the version is not known: an answer
// as before 1.2.14, because only before 1.2.20 a second question looks like that; a handled error as now.
const UNCOUNTED: Readonly<Record<Counting, ReadonlySet<string>>> = {
  javascript: new Set([ERROR, INTERRUPT, '__scheduled__']),
  oldest: new Set([ERROR, INTERRUPT]),
  mixed: new Set([ERROR, INTERRUPT, ERROR_SOURCE]),
  newest: new Set([ERROR, INTERRUPT, ERROR_SOURCE, RESUME]),
}

function isFinished({ rows }: Task, counting: Counting): boolean {
  return rows.some(({ channel }) => !UNCOUNTED[counting].has(channel))
}
