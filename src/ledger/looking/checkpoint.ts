import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CheckpointDocument } from '../../core/checkpoint.js'
import type { Operation } from '../../core/operation.js'
import type { JudgedPhase } from '../../core/phase.js'
import { isRemote, storeOf } from '../../core/shown-url.js'
import { readCheckpointFully } from '../../sources/index.js'
import { type Drain, lastDrain } from '../drains.js'
import { judgedPhases } from '../judged-phases.js'
import { checkpointPath, joinedTo } from './checkpoint-join.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

export interface CheckpointOptions {
  readonly threadId?: string
  /** of phases: look at what lies outside the workspace too */
  readonly follow?: boolean
}

export interface CheckpointRead {
  readonly document: CheckpointDocument
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
  { threadId, follow = false }: CheckpointOptions,
): Promise<CheckpointRead> {
  const { document, taskIds } = await readCheckpointFully(path, threadId === undefined ? {} : { threadId })
  if (session === null) return { document, joined: 0 }
  const { look } = await lookNow(session)
  const recorded = await recordedFor(session, path, follow)
  const threads = document.threads.map(thread => {
    const found = recorded.get(thread.thread_id)
    if (found === undefined) return thread
    return joinedTo(thread, { ...found, taskIds: taskIds.get(thread.thread_id), look })
  })
  const joined = document.threads.filter(({ thread_id }) => recorded.has(thread_id)).length
  return { document: { ...document, threads }, joined }
}

interface Recorded {
  readonly operations: readonly Operation[]
  readonly phases: readonly JudgedPhase[]
  readonly drain: Drain | null
}

/** Operations and phases by thread, of the tasks that point into this file. */
async function recordedFor(
  { store }: LookingSession,
  path: string,
  follow: boolean,
): Promise<ReadonlyMap<string, Recorded>> {
  const here = realPath(path)
  const found = new Map<string, Recorded>()
  for (const task of await store.tasksWithThread()) {
    if (task.thread === null || realPath(checkpointPath(task)) !== here) continue
    const record = await store.taskRecord(task.task_id)
    const before = found.get(task.thread.thread_id) ?? NOTHING
    const phases = await judgedPhases(task, record?.phases ?? [], { follow })
    found.set(task.thread.thread_id, {
      operations: [...before.operations, ...(record?.operations ?? [])],
      phases: [...before.phases, ...phases],
      drain: (await lastDrain(store, task.task_id)) ?? before.drain,
    })
  }
  return found
}

const NOTHING: Recorded = { operations: [], phases: [], drain: null }

function realPath(path: string): string {
  if (isRemote(path)) return storeOf(path)
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
