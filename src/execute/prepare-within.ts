import type { Intent } from '../core/operation.js'
import { type OtherIntent, otherIntent } from '../core/transitions/other-intent.js'
import type { Asking, Context, State, Step } from '../core/transitions/requests.js'
import type { Change, Changed, GuestClient, GuestConnection } from '../store/store.js'
import type { Executor } from './executor.js'
import { differentInput, notFound, refusedBy } from './refused.js'
import { type Standing, standingOf } from './standing.js'

/**
 * Writes an intent down inside a transaction of the caller's own: it is there with what they commit, or not at all.
 * @throws LedgerError invalid_input for a connection that does not fit, different_input, refused, conflict
 */
export function prepareWithin(executor: Executor, connection: GuestConnection, prepared: Prepared): Standing {
  const steps = preparing(executor, prepared)
  let step = steps.next()
  while (!step.done) step = steps.next(executor.store.changeWithin(connection, step.value))
  return step.value
}

/** The same for a client of PostgreSQL, whose answers are waited for. */
export async function prepareInside(
  executor: Executor,
  client: GuestClient,
  prepared: Prepared,
): Promise<Standing> {
  const steps = preparing(executor, prepared)
  let step = steps.next()
  while (!step.done) step = steps.next(await executor.store.changeInside(client, step.value))
  return step.value
}

interface Prepared {
  readonly intent: Intent
  readonly asking: Asking
}

/** Yields the changes to be made and is handed what became of each. */
function* preparing(executor: Executor, { intent, asking }: Prepared): Generator<Change, Standing, Changed> {
  const { operation_id, task_id } = intent
  const others: OtherIntent[] = []
  const { standing, refusal } = yield* within(executor, {
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
  const earlier = yield* within(executor, { operation_id: refusal.other, plan: () => [] })
  if (earlier.standing === null) throw notFound(refusal.other)
  return earlier.standing
}

interface Part extends Pick<Change, 'operation_id' | 'task_id'> {
  readonly plan: (state: State | null) => readonly Step[]
}

function* within(
  { actor, clock, isOwnerGone }: Executor,
  part: Part,
): Generator<Change, { standing: Standing | null; refusal: Changed['refusal'] }, Changed> {
  const contexts: Context[] = []
  const { state, refusal } = yield {
    ...part,
    by: { actor, clock },
    isOwnerGone,
    onRefusal: 'undo',
    plan: (before, context) => {
      contexts.push(context)
      return part.plan(before)
    },
  }
  const context = contexts.at(-1)
  const standing = state === null || context === undefined ? null : standingOf(state.operation, context)
  return { standing, refusal }
}
