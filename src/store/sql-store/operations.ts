import type { Attempt } from '../../core/attempt.js'
import type { State } from '../../core/transitions/requests.js'
import { bytesOrNull, number } from '../cells.js'
import { ATTEMPTS, OPERATIONS } from '../columns.js'
import { query, type Sql } from '../engine.js'
import { attemptOf, operationOf } from '../rows.js'
import type { EvidenceHead } from './evidence.js'

/** An operation as stored, with what its row keeps beside the record. */
export interface Stored extends State {
  readonly seq: number
  readonly evidence: EvidenceHead
  /** the ledger's incarnation in which it was last made ready to be sent */
  readonly incarnation: number
}

export function* readStored(operation_id: string): Sql<Stored | null> {
  const [row] = yield* query(
    `select seq, ${OPERATIONS.list}, evidence_head, incarnation
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  if (!row) return null
  const operation = operationOf(row)
  return {
    seq: number(row, 'seq'),
    operation,
    attempts: operation.attempt === 0 ? [] : yield* attemptsOfOperation(operation_id),
    evidence: { count: operation.evidence_count, head: bytesOrNull(row, 'evidence_head') },
    incarnation: number(row, 'incarnation'),
  }
}

export function* attemptsOfOperation(operation_id: string): Sql<Attempt[]> {
  const rows = yield* query(
    `select ${ATTEMPTS.list}
     from ledger_attempt
     where operation_id = $1
     order by n`,
    [operation_id],
  )
  return rows.map(attemptOf)
}
