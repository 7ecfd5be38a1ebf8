import { realpathSync } from 'node:fs'
import { isAbsolute, join, resolve, sep } from 'node:path'
import type { CheckpointThread } from '../../core/checkpoint.js'
import { isInDoubt, type Look } from '../../core/in-doubt.js'
import { isoTime } from '../../core/iso-time.js'
import type { Operation } from '../../core/operation.js'
import type { JudgedPhase } from '../../core/phase.js'
import { withReplayRisk } from '../../core/replay-risk.js'
import { isRemote, storeOf } from '../../core/shown-url.js'
import { isImportedTask, type Task } from '../../core/task.js'
import type { Drain } from '../drains.js'

interface Join {
  /** of the thread’s tasks here */
  readonly tasks: readonly Pick<Task, 'task_id' | 'thread'>[]
  readonly operations: readonly Operation[]
  /** of all tasks of the thread that left a trace in its store */
  readonly taskIds: ReadonlySet<string> | undefined
  readonly look: Look
  /** of the tasks that point to the thread */
  readonly phases: readonly JudgedPhase[]
  /** the last drain of a task that points to it */
  readonly drain: Drain | null
}

/** A thread with what the operations recorded for it mean for a resume. */
export function joinedTo(
  thread: CheckpointThread,
  { tasks, operations, taskIds, look, phases, drain }: Join,
): CheckpointThread {
  const seen = { ...thread, warnings: [...thread.warnings, ...warningsOf({ phases, drain })] }
  return withReplayRisk(seen, {
    operations: operations.map(operation => ({ ...operation, in_doubt: isInDoubt(operation, look) })),
    taskIds: taskIds ?? new Set<string>(),
    isOfStore: tasks.every(isImportedTask) && operations.every(({ provenance }) => provenance === 'imported'),
  })
}

/** What is known of a thread beside its operations. */
export function warningsOf({ phases, drain }: Pick<Join, 'phases' | 'drain'>): CheckpointThread['warnings'] {
  return [...phases.flatMap(warningOf), ...drainedBy(drain)]
}

/** A phase that was completed and does not hold any more: a resume would go on from what is not there. */
function warningOf({ phase, state, why }: JudgedPhase): CheckpointThread['warnings'][number][] {
  if (state !== 'invalid') return []
  return [{ code: 'phase_invalid', message: `phase ${phase.name} is not valid any more: ${why.join('; ')}` }]
}

/** A thread that was told to stop looks like one that crashed before its next node. */
function drainedBy(drain: Drain | null): CheckpointThread['warnings'][number][] {
  if (drain === null) return []
  const message = `its run was told to stop before its next node at ${isoTime(drain.at)} (${drain.reason}): that it stands there is no crash`
  return [{ code: 'drained', message }]
}

/** Does the task point to the checkpoint at this path, or to one in the folder there? */
export function pointsTo(task: Pick<Task, 'thread' | 'workspace'>, path: string): boolean {
  const here = realPath(path)
  const there = realPath(checkpointPath(task))
  return there === here || there.startsWith(`${here}${sep}`)
}

/** Where a task's checkpoint lies, seen from here: a path that its agent gave from its own folder is no path here. */
export function checkpointPath({ thread, workspace }: Pick<Task, 'thread' | 'workspace'>): string {
  const uri = thread?.uri ?? ''
  const isPlain = !/^[a-z][a-z0-9+.-]+:/i.test(uri)
  return isPlain && !isAbsolute(uri) && workspace !== null && isAbsolute(workspace)
    ? join(workspace, uri)
    : uri
}

function realPath(path: string): string {
  if (isRemote(path)) return storeOf(path)
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
