import { type TasksDocument, taskItem } from '../../core/documents/tasks.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

export interface TasksOptions {
  /** closed ones with nothing open too */
  readonly all?: boolean
  /** default: none */
  readonly limit?: number
}

/** Tasks, those that need a person first. */
export async function tasks(session: LookingSession, { all, limit }: TasksOptions): Promise<TasksDocument> {
  const look = await lookNow(session)
  const page = await session.store.tasks({
    scope: all === true ? 'all' : 'open',
    now: look.look.now,
    goneOwners: look.goneOwners,
    limit: limit ?? null,
  })
  return { tasks: page.tasks.map(taskItem), left_out: page.left_out }
}
