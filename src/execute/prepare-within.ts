import type { Intent } from '../core/operation.js'
import { type OtherIntent, otherIntent } from '../core/transitions/other-intent.js'
import type { Asking, Context, State, Step } from '../core/transitions/requests.js'
import type { Change, GuestConnection } from '../store/store.js'
import type { Executor } from './executor.js'
import { differentInput, notFound, refusedBy } from './refused.js'
import { type Standing, standingOf } from './standing.js'

/**
 * Writes an intent down inside a transaction of the caller's own: it is there with what they commit, or not at all.
 * @throws LedgerError invalid_input for a connection that does not fit, different_input, refused, conflict
 */
export function prepareWithin(
  executor: Executor,
  connection: GuestConnection,
  { intent, asking }: { readonly intent: Intent; readonly asking: Asking },
): Standing {
  const { operation_id, task_id } = intent
  const others: OtherIntent[] = []
  const { standing, refusal } = within(executor, connection, {
    operation_id,
    task_id,
    plan: state => {
      if (state === null) return [{ request: { type: 'prepare', intent, ...asking } }]
      const other = otherIntent(state.operation, intent)
      if (other !== null) others.push(other)
      return []
    },
  })
  const [other] = others
  if (other !== undefined) throw differentInput(operation_id, other)
  if (standing !== null) return standing
  if (refusal === null) throw notFound(operation_id)
  if (refusal.rule !== 'same_write_once' || refusal.other === undefined)
    throw refusedBy(refusal, operation_id)
  const earlier = within(executor, connection, { operation_id: refusal.other, plan: () => [] })
  if (earlier.standing === null) throw notFound(refusal.other)
  return earlier.standing
}

interface Part extends Pick<Change, 'operation_id' | 'task_id'> {
  readonly plan: (state: State | null) => readonly Step[]
}

function within({ store, actor, clock, isOwnerGone }: Executor, connection: GuestConnection, part: Part) {
  const contexts: Context[] = []
  const { state, refusal } = store.changeWithin(connection, {
    ...part,
    by: { actor, now: clock() },
    isOwnerGone,
    onRefusal: 'undo',
    plan: (before, context) => {
      contexts.push(context)
      return part.plan(before)
    },
  })
  const context = contexts.at(-1)
  const standing = state === null || context === undefined ? null : standingOf(state.operation, context)
  return { standing, refusal }
}
