import { LedgerError } from '../../core/errors.js'
import type { Evidence } from '../../core/evidence.js'
import { later, lock, query, type Sql } from '../engine.js'
import type { EvidenceAddition } from '../store.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent, type Writing } from './events.js'
import { chainEvidence, evidenceHead, evidenceInsertions, recordOfEvidence } from './evidence.js'
import { externalIdsOfOperation, idInsertions, newIds } from './external-ids.js'

/** Evidence that concludes nothing: it joins the operation's chain; status, version and events stay. */
export function* addEvidence(ledger: Ledger, addition: EvidenceAddition): Sql<Evidence[]> {
  const { operation_id, by } = addition
  yield* lock({ kind: 'operation', name: operation_id })
  const head = yield* evidenceHead(operation_id)
  if (head === null) throw unknownOperation(operation_id)
  const { stamp } = yield* timeOfCommit(by.clock)
  const { evidence, end } = chainEvidence(
    { ledger_id: ledger.ledger_id, stamp },
    { operation_id, actor: by.actor, evidence: addition.evidence, after: head },
  )
  yield* query(
    `update ledger_operation
     set evidence_count = $1, evidence_head = $2
     where operation_id = $3`,
    [end.count, end.head, operation_id],
  )
  yield* later(evidenceInsertions(evidence))
  if (addition.next_look_at !== undefined) yield* setNextLook(operation_id, addition.next_look_at)
  const named = evidence.map(({ n, hash }) => ({ n, hash }))
  yield* tell({ ledger_id: ledger.ledger_id, stamp }, addition, named)
  return evidence.map(recordOfEvidence)
}

/**
 * What came without a move of the operation is named in the ledger's own chain, so that a seal over all events covers it
 * too: the ids, and the evidence by its number and hash.
 */
function* tell(
  writing: Writing,
  { operation_id, external_ids = [], by }: EvidenceAddition,
  evidence: readonly Pick<Evidence, 'n' | 'hash'>[],
): Sql<void> {
  const known = external_ids.length === 0 ? [] : yield* externalIdsOfOperation(operation_id)
  const added = newIds(known, external_ids)
  if (added.length === 0 && evidence.length === 0) return
  yield* later(idInsertions(operation_id, added, writing.stamp.at))
  const body = { evidence, ...(added.length === 0 ? {} : { external_ids: added }) }
  yield* appendLedgerEvent(writing, { about: operation_id, type: 'evidence', actor: by.actor, body })
}

function* setNextLook(operation_id: string, at: number | null): Sql<void> {
  yield* query(
    `update ledger_operation
     set next_look_at = $1
     where operation_id = $2`,
    [at, operation_id],
  )
}

function unknownOperation(id: string): LedgerError {
  return new LedgerError('not_found', `there is no operation ${id}`, { id })
}
