import type { NextAction } from '../core/next-action.js'
import type { Operation, OperationStatus } from '../core/operation.js'
import { nextActionOf } from '../core/run-outcome.js'
import type { Context } from '../core/transitions/requests.js'

/** Where an operation stands after a verb. */
export interface Standing {
  readonly operation_id: string
  readonly status: OperationStatus
  readonly version: number
  readonly next_action: NextAction
}

export function standingOf(operation: Operation, context: Context): Standing {
  const { operation_id, status, version } = operation
  // The context was read before the change: whoever wrote the change lives.
  const next_action = nextActionOf({ operation, context: { ...context, owner_gone: false } })
  return { operation_id, status, version, next_action }
}
