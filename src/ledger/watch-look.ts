import { stallsIn } from '../core/documents/sight.js'
import { isInDoubt } from '../core/in-doubt.js'
import { lastSignOf } from '../core/overlap.js'
import { quietSince } from '../core/stall/limits.js'
import type { Found } from '../core/stall/notice.js'
import type { Lost, Seen } from '../supervise/pass.js'
import { rowsOf } from './looking/rows.js'
import type { LookingSession } from './looking/session.js'
import { stalledAmong } from './looking/stalled-tasks.js'
import { type Look, lookNow } from './looking/view.js'

/** Task of the supervisor's own notifications: it does not watch itself. */
export const WATCH_TASK = 'agent-ledger/watch'

/** What a supervisor has to know of a ledger: only what is open is read, and of that what may stand still. */
export async function seenBySupervisor(session: LookingSession): Promise<Seen> {
  const look = await lookNow(session)
  const found: Found[] = []
  const quiet_since = quietSince(look.stall, look.look.now.at)
  const moving = { scope: 'moving', sort: 'risk', quiet_since } as const
  for await (const view of rowsOf(session.store, moving, look)) {
    const { operation_id, task_id } = view.operation
    if (task_id === WATCH_TASK) continue
    for (const stall of stallsIn(view, look))
      found.push({ subject: 'operation', subject_id: operation_id, task_id, stall })
  }
  const open = (await session.store.openTasks()).filter(({ task_id }) => task_id !== WATCH_TASK)
  for (const { task, stalls } of await stalledAmong(session.store, open, look))
    for (const stall of stalls)
      found.push({ subject: 'task', subject_id: task.task_id, task_id: task.task_id, stall })
  const held = open.filter(({ grace_until }) => grace_until !== null).map(({ task_id }) => task_id)
  return { now: look.look.now, found, lost: await lostIn(session, look), held }
}

/** In flight, and nobody alive holds it. */
async function lostIn({ store }: LookingSession, look: Look): Promise<Lost[]> {
  const lost: Lost[] = []
  const flying = { scope: 'in_doubt', statuses: ['in_flight'], sort: 'risk' } as const
  for await (const { operation, attempts } of rowsOf(store, flying, look)) {
    const { operation_id, task_id, lease_owner, lease_expires_at, updated_at } = operation
    if (!isInDoubt(operation, look.look)) continue
    const live = attempts.find(({ n }) => n === operation.attempt)
    lost.push({
      operation_id,
      task_id,
      is_gone: lease_owner !== null && look.look.isOwnerGone(lease_owner),
      lapsed_at: lease_expires_at ?? updated_at,
      sign_at: live === undefined ? updated_at : lastSignOf(live),
    })
  }
  return lost
}
