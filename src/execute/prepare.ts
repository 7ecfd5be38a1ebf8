import type { JsonValue } from '../core/json.js'
import type { Intent } from '../core/operation.js'
import { answeredBy, outcomeOf, type RunOutcome } from '../core/run-outcome.js'
import { type OtherIntent, otherIntent } from '../core/transitions/other-intent.js'
import type { Asking, Refusal, Step } from '../core/transitions/requests.js'
import { holdEpoch } from './announce.js'
import { change } from './change.js'
import type { Executor } from './executor.js'
import { look } from './look.js'
import { notPrepared } from './not-prepared.js'
import { differentInput, notFound } from './refused.js'
import { type Standing, standingOf } from './standing.js'

export interface Prepared {
  /** of the operation, or of an earlier one of its task with the same tool and input, which answers for it */
  readonly standing: Standing
  /** what is on record of it */
  readonly outcome: RunOutcome<JsonValue>
  /** set where an earlier one answers: nothing was written down */
  readonly refusal: Refusal | null
}

interface PreparePlan {
  readonly steps: readonly Step[]
  readonly other: OtherIntent | null
}

/**
 * Writes an intent down without sending it, or attaches to the operation that is there.
 * @throws LedgerError different_input, conflict, or the ledger's own failure
 */
export async function prepare(executor: Executor, intent: Intent, asking: Asking = {}): Promise<Prepared> {
  const { operation_id, task_id } = intent
  const seen = await change(executor, { operation_id, task_id }, (state): PreparePlan => {
    if (state !== null) return { steps: [], other: otherIntent(state.operation, intent) }
    return { steps: [{ request: { type: 'prepare', intent, ...asking } }], other: null }
  })
  if (seen === null) throw notFound(operation_id)
  if (seen.changed.state === null) return answeredByAnother(executor, intent, seen.changed.refusal)
  if (seen.plan.other !== null) throw differentInput(operation_id, seen.plan.other)
  if (seen.changed.task !== null) holdEpoch(executor, seen.changed.task)
  const { operation } = seen.changed.state
  const external_ids = seen.context.known_external_ids
  return {
    standing: standingOf(operation, seen.context),
    outcome: outcomeOf({ operation, refusal: null, external_ids, context: seen.context }),
    refusal: null,
  }
}

async function answeredByAnother(
  executor: Executor,
  intent: Intent,
  refusal: Refusal | null,
): Promise<Prepared> {
  if (refusal === null) throw notFound(intent.operation_id)
  if (refusal.rule !== 'same_write_once' || refusal.other === undefined)
    throw await notPrepared(executor, intent, refusal)
  const { standing, outcome } = await look(executor, refusal.other)
  return { standing, outcome: answeredBy(outcome, refusal.other), refusal }
}
