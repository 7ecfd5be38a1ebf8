import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { type CheckpointDocument, RECORDS_ALONE } from '../../core/checkpoint.js'
import type { Operation } from '../../core/operation.js'
import type { JudgedPhase } from '../../core/phase.js'
import { isRemote, storeOf } from '../../core/shown-url.js'
import type { Task } from '../../core/task.js'
import { readCheckpointFully } from '../../sources/index.js'
import { type Drain, lastDrain } from '../drains.js'
import { judgedPhases } from '../judged-phases.js'
import { checkpointPath, joinedTo } from './checkpoint-join.js'
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
 * Without a session it is read alone.
 * @throws LedgerError ledger_unreadable, not_found for a thread that is not there
 */
export async function checkpoint(
  session: LookingSession | null,
  path: string,
  { follow = false, ...options }: CheckpointOptions,
): Promise<CheckpointRead> {
  const { document, taskIds, why } = await readCheckpointFully(path, options)
  if (session === null) return { document, why, joined: 0 }
  const { look } = await lookNow(session)
  const recorded = await recordedFor(session, { path, document, follow })
  const threads = document.threads.map(thread => {
    const known = recorded.get(thread.thread_id)
    if (known === undefined) return thread
    return joinedTo(thread, { ...known, taskIds: taskIds.get(thread.thread_id), look })
  })
  const joined = document.threads.filter(({ thread_id }) => recorded.has(thread_id)).length
  return { document: { ...document, threads }, why, joined }
}

interface Recorded {
  readonly tasks: readonly Task[]
  readonly operations: readonly Operation[]
  readonly phases: readonly JudgedPhase[]
  readonly drain: Drain | null
}

interface Where {
  readonly path: string
  readonly document: CheckpointDocument
  readonly follow: boolean
}

/** What is known by thread: of the tasks that point here, and of those that came from here without a thread. */
async function recordedFor(
  { store }: LookingSession,
  { path, document, follow }: Where,
): Promise<ReadonlyMap<string, Recorded>> {
  const found = new Map<string, Recorded>()
  const add = async (threadId: string, taskId: string) => {
    const record = await store.taskRecord(taskId)
    if (record === null) return
    const before = found.get(threadId) ?? NOTHING
    const phases = await judgedPhases(record.task, record.phases, { follow })
    found.set(threadId, {
      tasks: [...before.tasks, record.task],
      operations: [...before.operations, ...record.operations],
      phases: [...before.phases, ...phases],
      drain: (await lastDrain(store, taskId)) ?? before.drain,
    })
  }
  if (document.saver === RECORDS_ALONE) {
    for (const { thread_id } of document.threads) await add(thread_id, thread_id)
    return found
  }
  const here = realPath(path)
  for (const task of await store.tasksWithThread()) {
    if (task.thread === null) continue
    const there = realPath(checkpointPath(task))
    if (there === here || there.startsWith(`${here}${sep}`)) await add(task.thread.thread_id, task.task_id)
  }
  return found
}

const NOTHING: Recorded = { tasks: [], operations: [], phases: [], drain: null }

function realPath(path: string): string {
  if (isRemote(path)) return storeOf(path)
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
