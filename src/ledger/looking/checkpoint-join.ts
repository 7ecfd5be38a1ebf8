import { isAbsolute, join } from 'node:path'
import type { CheckpointThread } from '../../core/checkpoint.js'
import { isInDoubt, type Look } from '../../core/in-doubt.js'
import type { Operation } from '../../core/operation.js'
import { withReplayRisk } from '../../core/replay-risk.js'
import type { Task } from '../../core/task.js'

interface Join {
  /** of the thread’s tasks here */
  readonly tasks: readonly Pick<Task, 'task_id' | 'thread'>[]
  readonly operations: readonly Operation[]
  /** of all tasks of the thread that left a trace in its store */
  readonly taskIds: ReadonlySet<string> | undefined
  readonly look: Look
}

/** A thread with what the operations recorded for it mean for a resume. */
export function joinedTo(
  thread: CheckpointThread,
  { tasks, operations, taskIds, look }: Join,
): CheckpointThread {
  return withReplayRisk(thread, {
    operations: operations.map(operation => ({ ...operation, in_doubt: isInDoubt(operation, look) })),
    taskIds: taskIds ?? new Set<string>(),
    isOfStore: tasks.every(isImported) && operations.every(({ provenance }) => provenance === 'imported'),
  })
}

/** By its id: what is read of another system's task is called `<source>:<their id>`. */
function isImported({ task_id, thread }: Pick<Task, 'task_id' | 'thread'>): boolean {
  return thread !== null && task_id.startsWith(`${thread.source}:`)
}

/** Where a task's checkpoint lies, seen from here: a path that its agent gave from its own folder is no path here. */
export function checkpointPath({ thread, workspace }: Pick<Task, 'thread' | 'workspace'>): string {
  const uri = thread?.uri ?? ''
  const isPlain = !/^[a-z][a-z0-9+.-]+:/i.test(uri)
  return isPlain && !isAbsolute(uri) && workspace !== null && isAbsolute(workspace)
    ? join(workspace, uri)
    : uri
}
