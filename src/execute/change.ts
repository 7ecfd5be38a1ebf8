import { LedgerError } from '../core/errors.js'
import type { Context, Refusal, State, Step } from '../core/transitions/requests.js'
import type { Changed } from '../store/store.js'
import type { Executor } from './executor.js'

interface Subject {
  readonly operation_id: string
  /** for an operation that may not be there yet */
  readonly task_id?: string
}

interface Plan {
  readonly steps: readonly Step[]
  /** why no more is planned, where a rule says so */
  readonly refusal?: Refusal | null
}

/** A change, and what its plan saw inside the commit. */
export interface Seen<P extends Plan> {
  readonly changed: Changed
  readonly before: State | null
  readonly context: Context
  readonly plan: P
}

/**
 * One commit on one operation, decided by what is stored; what was decided before a refusal stays. Null: there is
 * no such operation, and no task was named for a new one.
 */
export async function change<P extends Plan>(
  { store, actor, clock, isOwnerGone, watch }: Executor,
  { operation_id, task_id }: Subject,
  plan: (state: State | null, context: Context) => P,
): Promise<Seen<P> | null> {
  // The plan may be run again when the commit is; the last one counts.
  const seen: Omit<Seen<P>, 'changed'>[] = []
  const changed = await store.change({
    operation_id,
    by: { actor, clock },
    isOwnerGone,
    onRefusal: 'keep',
    plan: (before, context) => {
      const planned = plan(before, context)
      seen.push({ before, context, plan: planned })
      return planned.steps
    },
    ...(task_id === undefined ? {} : { task_id }),
  })
  const last = seen.at(-1)
  const refusal = last?.plan.refusal ?? changed.refusal
  if (refusal !== null && changed.state !== null) watch?.refused(changed.state.operation, refusal.reason)
  if (last === undefined) return null
  const { before, context, plan: planned } = last
  return { changed, before, context, plan: planned }
}

/** True when a commit failed in a way that leaves open whether it was written. */
export function isCommitUnknown(error: unknown): boolean {
  return error instanceof LedgerError && error.facts?.commit === 'unknown'
}
