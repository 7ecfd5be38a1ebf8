import type { JsonValue } from '../core/json.js'
import type { NextAction } from '../core/next-action.js'
import type { Operation } from '../core/operation.js'
import { nextActionOf, outcomeOf, type RunOutcome } from '../core/run-outcome.js'
import { orphanReason, orphanStep } from '../core/transitions/attach.js'
import { change } from './change.js'
import { type Executor, isHere } from './executor.js'
import { notFound } from './refused.js'
import { type Standing, standingOf } from './standing.js'

export interface Looked {
  readonly operation: Operation
  readonly outcome: RunOutcome<JsonValue>
  readonly next_action: NextAction
  readonly standing: Standing
}

/** How an operation stands, for whoever asked for it in another way: nothing of it is sent, but a dead executor is seen. */
export async function look(executor: Executor, operation_id: string): Promise<Looked> {
  const seen = await change(executor, { operation_id }, (state, context) => {
    const why = state === null ? null : orphanReason(state.operation, context)
    return { steps: state === null || why === null ? [] : [orphanStep(state.operation, why)] }
  })
  const operation = seen?.changed.state?.operation
  if (seen === null || operation === undefined) throw notFound(operation_id)
  const { context } = seen
  const outcome = outcomeOf({ operation, refusal: null, external_ids: context.known_external_ids, context })
  return {
    operation,
    outcome:
      outcome.status === 'in_progress' ? { ...outcome, here: isHere(executor, outcome.owner) } : outcome,
    next_action: nextActionOf({ operation, context }),
    standing: standingOf(operation, context),
  }
}
