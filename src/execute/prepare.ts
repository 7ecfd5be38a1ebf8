import type { JsonValue } from '../core/json.js'
import type { Intent } from '../core/operation.js'
import { outcomeOf, type RunOutcome } from '../core/run-outcome.js'
import { type OtherIntent, otherIntent } from '../core/transitions/attach.js'
import type { Step } from '../core/transitions/requests.js'
import { holdEpoch } from './announce.js'
import { change } from './change.js'
import type { Executor } from './executor.js'
import { differentInput, notPrepared } from './refused.js'
import { type Standing, standingOf } from './standing.js'

export interface Prepared {
  readonly standing: Standing
  /** what is on record of it */
  readonly outcome: RunOutcome<JsonValue>
}

interface PreparePlan {
  readonly steps: readonly Step[]
  readonly other: OtherIntent | null
}

/**
 * Writes an intent down without sending it, or attaches to the operation that is there.
 * @throws LedgerError different_input, conflict, or the ledger's own failure
 */
export async function prepare(executor: Executor, intent: Intent): Promise<Prepared> {
  const { operation_id, task_id } = intent
  const seen = await change(
    executor,
    { operation_id, task_id, now: executor.clock() },
    (state): PreparePlan => {
      if (state !== null) return { steps: [], other: otherIntent(state.operation, intent) }
      return { steps: [{ request: { type: 'prepare', intent } }], other: null }
    },
  )
  if (seen === null || seen.changed.state === null)
    throw notPrepared(operation_id, seen?.changed.refusal ?? null)
  if (seen.plan.other !== null) throw differentInput(operation_id, seen.plan.other)
  if (seen.changed.task !== null) holdEpoch(executor, seen.changed.task)
  const { operation } = seen.changed.state
  const external_ids = seen.context.known_external_ids
  return {
    standing: standingOf(operation, seen.context),
    outcome: outcomeOf({ operation, refusal: null, external_ids, context: seen.context }),
  }
}
