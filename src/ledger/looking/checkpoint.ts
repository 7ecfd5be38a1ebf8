import { type CheckpointDocument, type CheckpointThread, RECORDS_ALONE } from '../../core/checkpoint.js'
import type { Operation } from '../../core/operation.js'
import type { JudgedPhase } from '../../core/phase.js'
import type { Task } from '../../core/task.js'
import { readCheckpointFully } from '../../sources/index.js'
import { type Drain, lastDrain } from '../drains.js'
import { judgedPhases } from '../judged-phases.js'
import { joinedTo, pointsTo } from './checkpoint-join.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

export interface CheckpointOptions {
  readonly threadId?: string
  /** id of the source; by default the content decides */
  readonly source?: string
  /** of phases: look at what lies outside the workspace too */
  readonly follow?: boolean
}

export interface CheckpointRead {
  readonly document: CheckpointDocument
  /** what the source was known by, to put after the path */
  readonly why: string
  /** threads that tasks of the ledger point to */
  readonly joined: number
}

/**
 * A checkpoint by itself, with what the ledger's operations mean for each of its threads.
 * @throws LedgerError ledger_unreadable, not_found for a thread that is not there
 */
export async function checkpoint(
  session: LookingSession,
  path: string,
  { follow = false, ...options }: CheckpointOptions,
): Promise<CheckpointRead> {
  const { document, taskIds, why } = await readCheckpointFully(path, options)
  const { look } = await lookNow(session)
  const pointing = await tasksPointing(session, { path, document })
  const threads: CheckpointThread[] = []
  let joined = 0
  // One after the other: what all of them did is more than one wants to hold.
  for (const thread of document.threads) {
    const recorded = await recordedOf(session, { tasks: pointing.get(thread.thread_id) ?? [], follow })
    if (recorded.tasks.length === 0) threads.push(thread)
    else {
      threads.push(joinedTo(thread, { ...recorded, taskIds: taskIds.get(thread.thread_id), look }))
      joined += 1
    }
  }
  return { document: { ...document, threads }, why, joined }
}

interface Recorded {
  readonly tasks: readonly Task[]
  readonly operations: readonly Operation[]
  readonly phases: readonly JudgedPhase[]
  readonly drain: Drain | null
}

/** Of each thread the ids of the tasks that point here, or that came from here without a thread. */
async function tasksPointing(
  { store }: LookingSession,
  { path, document }: { readonly path: string; readonly document: CheckpointDocument },
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (document.saver === RECORDS_ALONE)
    return new Map(document.threads.map(({ thread_id }) => [thread_id, [thread_id]]))
  const found = new Map<string, string[]>()
  for (const task of await store.tasksWithThread()) {
    if (task.thread === null || !pointsTo(task, path)) continue
    const others = found.get(task.thread.thread_id)
    if (others === undefined) found.set(task.thread.thread_id, [task.task_id])
    else others.push(task.task_id)
  }
  return found
}

interface Wanted {
  readonly tasks: readonly string[]
  readonly follow: boolean
}

/** What the ledger holds of these tasks, those that are not there left out. */
async function recordedOf({ store }: LookingSession, { tasks, follow }: Wanted): Promise<Recorded> {
  let recorded: Recorded = { tasks: [], operations: [], phases: [], drain: null }
  for (const taskId of tasks) {
    const record = await store.taskRecord(taskId)
    if (record === null) continue
    const phases = await judgedPhases(record.task, record.phases, { follow })
    recorded = {
      tasks: [...recorded.tasks, record.task],
      operations: [...recorded.operations, ...record.operations],
      phases: [...recorded.phases, ...phases],
      drain: (await lastDrain(store, taskId)) ?? recorded.drain,
    }
  }
  return recorded
}
