import type { Attempt } from '../../core/attempt.js'
import type { State } from '../../core/transitions/requests.js'
import { bytes, bytesOrNull, flag, number } from '../cells.js'
import { ATTEMPTS, listOf, OPERATIONS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { attemptOf, operationOf } from '../rows.js'
import type { EvidenceHead } from './evidence.js'

/** An operation as stored, with what its row keeps beside the record. */
export interface Stored extends State {
  /** hash of its last event */
  readonly head: Buffer
  readonly evidence: EvidenceHead
  /** the ledger's incarnation in which it was last made ready to be sent */
  readonly incarnation: number
  readonly has_approvals: boolean
  readonly has_external_ids: boolean
}

export const STORED_COLUMNS = `
  ${listOf(OPERATIONS, 'o')},
  o.evidence_head,
  o.incarnation,
  (
    select hash
    from ledger_event
    where subject = 'operation' and subject_id = o.operation_id and n = o.version
  ) as head,
  exists (select 1 from ledger_approval as a where a.operation_id = o.operation_id) as has_approvals,
  exists (select 1 from ledger_external_ref as r where r.operation_id = o.operation_id) as has_external_ids`

const STORED = `
select ${STORED_COLUMNS}
from ledger_operation as o
where o.operation_id = $1`

export function* readStored(operation_id: string): Sql<Stored | null> {
  const [row] = yield { text: STORED, params: [operation_id] }
  return row ? storedOf(row, yield* attemptsOfOperation(operation_id)) : null
}

export function storedOf(row: Row, attempts: readonly Attempt[]): Stored {
  const operation = operationOf(row)
  return {
    operation,
    attempts,
    head: bytes(row, 'head'),
    evidence: { count: operation.evidence_count, head: bytesOrNull(row, 'evidence_head') },
    incarnation: number(row, 'incarnation'),
    has_approvals: flag(row, 'has_approvals'),
    has_external_ids: flag(row, 'has_external_ids'),
  }
}

export function* attemptsOfOperation(operation_id: string): Sql<Attempt[]> {
  const rows = yield* query(ATTEMPTS_OF, [operation_id])
  return rows.map(attemptOf)
}

const ATTEMPTS_OF = `
select ${ATTEMPTS.list}
from ledger_attempt
where operation_id = $1
order by n`
