import { LedgerError } from '../../core/errors.js'
import type { Evidence } from '../../core/evidence.js'
import { query, type Sql } from '../engine.js'
import type { EvidenceAddition } from '../store.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { chainEvidence, evidenceHead, insertEvidence, recordOfEvidence } from './evidence.js'
import { addExternalIds, externalIdsOfOperation } from './external-ids.js'

/** Evidence that concludes nothing: it joins the operation's chain; status, version and events stay. */
export function* addEvidence(ledger: Ledger, addition: EvidenceAddition): Sql<Evidence[]> {
  const { operation_id, by } = addition
  const head = yield* evidenceHead(operation_id)
  if (head === null) throw unknownOperation(operation_id)
  const { stamp } = yield* timeOfCommit(by.now)
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
  yield* insertEvidence(evidence)
  if (addition.next_look_at !== undefined) yield* setNextLook(operation_id, addition.next_look_at)
  if (addition.external_ids !== undefined)
    yield* addExternalIds(operation_id, {
      known: yield* externalIdsOfOperation(operation_id),
      added: addition.external_ids,
      at: stamp.at,
    })
  return evidence.map(recordOfEvidence)
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
