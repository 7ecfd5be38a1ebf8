import type { Operation } from '../../core/operation.js'
import { OPERATIONS } from '../columns.js'
import { lock, query, type Sql } from '../engine.js'
import { operationOf } from '../rows.js'
import type { By, Deferral } from '../store.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent } from './events.js'

/** "Not now": hides nothing and moves nothing, so it is an event of the ledger about the operation. */
export function* setDefer(
  ledger: Ledger,
  { operation_id, until, reason }: Deferral,
  by: By,
): Sql<Operation | null> {
  yield* lock({ kind: 'operation', name: operation_id })
  const { stamp } = yield* timeOfCommit(by.clock)
  const [row] = yield* query(
    `update ledger_operation
     set defer_until = $1
     where operation_id = $2
     returning ${OPERATIONS.list}`,
    [until, operation_id],
  )
  if (!row) return null
  yield* appendLedgerEvent(
    { ledger_id: ledger.ledger_id, stamp },
    { about: operation_id, type: 'defer', actor: by.actor, body: { until, reason } },
  )
  return operationOf(row)
}
