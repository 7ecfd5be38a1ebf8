import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { type CheckpointDocument, RECORDS_ALONE } from '../../core/checkpoint.js'
import type { Operation } from '../../core/operation.js'
import { isRemote, storeOf } from '../../core/shown-url.js'
import type { Task } from '../../core/task.js'
import { readCheckpointFully } from '../../sources/index.js'
import { checkpointPath, joinedTo } from './checkpoint-join.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

export interface CheckpointOptions {
  readonly threadId?: string
  /** id of the source; by default the content decides */
  readonly source?: string
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
  options: CheckpointOptions,
): Promise<CheckpointRead> {
  const { document, taskIds, why } = await readCheckpointFully(path, options)
  if (session === null) return { document, why, joined: 0 }
  const { look } = await lookNow(session)
  const recorded = await recordedFor(session, { path, document })
  const threads = document.threads.map(thread => {
    const known = recorded.get(thread.thread_id)
    if (known === undefined) return thread
    return joinedTo(thread, { ...known, taskIds: taskIds.get(thread.thread_id), look })
  })
  const joined = document.threads.filter(({ thread_id }) => recorded.has(thread_id)).length
  return { document: { ...document, threads }, why, joined }
}

interface Recorded {
  readonly tasks: Task[]
  readonly operations: Operation[]
}

/** Tasks and operations by thread: of the tasks that point here, and of those that came from here without a thread. */
async function recordedFor(
  { store }: LookingSession,
  { path, document }: { readonly path: string; readonly document: CheckpointDocument },
): Promise<ReadonlyMap<string, Recorded>> {
  const found = new Map<string, Recorded>()
  const add = async (threadId: string, taskId: string) => {
    const record = await store.taskRecord(taskId)
    if (record === null) return
    const known = found.get(threadId) ?? { tasks: [], operations: [] }
    known.tasks.push(record.task)
    known.operations.push(...record.operations)
    found.set(threadId, known)
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

function realPath(path: string): string {
  if (isRemote(path)) return storeOf(path)
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
