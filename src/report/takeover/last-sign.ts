import { isImportedTask, type Task } from '../../core/task.js'
import type { TakeoverInput } from './input.js'

type Signs = Pick<Task, 'updated_at' | 'heartbeat_at' | 'activity_at' | 'progress_at'>

/** Of what was imported the rows are as young as the import: there the times of their own records count. */
export function lastSignOf(task: Task, views: TakeoverInput['views']): number {
  const isOfOthers =
    views.length === 0
      ? isImportedTask(task)
      : views.every(({ operation: { provenance } }) => provenance === 'imported')
  if (!isOfOthers)
    return views.reduce((last, { operation }) => Math.max(last, lastSignIn(operation)), lastSignIn(task))
  const times = views.flatMap(({ operation, attempts }) => [
    lastSignIn({ ...operation, updated_at: operation.created_at }),
    ...attempts.flatMap(({ sent_at, ended_at }) => [sent_at, ended_at ?? 0]),
  ])
  // a task that their records name and do not tell of began with the import
  const begun = times.length === 0 ? task.created_at : 0
  return times.reduce((last, at) => Math.max(last, at), lastSignIn({ ...task, updated_at: begun }))
}

function lastSignIn({ updated_at, heartbeat_at, activity_at, progress_at }: Signs): number {
  return Math.max(updated_at, heartbeat_at ?? 0, activity_at ?? 0, progress_at ?? 0)
}
