import type { Executor } from '../execute/executor.js'
import { byOf } from '../execute/executor.js'
import type { StoreReader } from '../store/store.js'

/**
 * A framework's run was told to stop at its next safe point. Its checkpoint shows nothing of that: a drained thread looks
 * like one that crashed before its next node. So the ledger keeps it.
 */
export async function recordDrain(
  executor: Pick<Executor, 'store' | 'clock' | 'actor' | 'mask'>,
  task_id: string,
  reason: string,
): Promise<void> {
  await executor.store.record('drain', { task_id }, { reason: executor.mask.text(reason) }, byOf(executor))
}

export interface Drain {
  readonly at: number
  readonly by: string
  readonly reason: string
}

/** The last drain of a task. */
export async function lastDrain(store: StoreReader, task_id: string): Promise<Drain | null> {
  const events = await store.events({ about: { task_id }, type: 'drain', limit: 10_000 })
  const last = events.at(-1)
  if (last === undefined) return null
  const reason: unknown = Reflect.get(Object(last.body), 'reason')
  return { at: last.at, by: last.actor, reason: typeof reason === 'string' ? reason : '' }
}
