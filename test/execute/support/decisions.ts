import { isOwnerGone, systemClock } from '../../../src/host.js'
import type { Store, TaskChanged } from '../../../src/store/store.js'

/** What a person decides about a task, by the store alone. */
export async function takeoverOf(
  store: Store,
  task_id: string,
  type: 'open' | 'takeover' | 'handback' | 'cancel' = 'takeover',
): Promise<TaskChanged> {
  const changed = await store.changeTask({
    task_id,
    request: type === 'open' ? { type, task: { task_id } } : { type, reason: 'it is on fire' },
    by: { actor: 'ana', clock: () => systemClock()() },
    isOwnerGone,
  })
  if (changed.refusal !== null) throw new Error(changed.refusal.reason)
  return changed
}
