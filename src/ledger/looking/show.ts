import type { ShowDocument } from '../../core/documents/show.js'
import { showDocument } from '../../core/documents/showing.js'
import { createRedactor } from '../../core/redact/redact.js'
import type { StoreReader } from '../../store/store.js'
import { judgedApprovals } from '../judged-approvals.js'
import { contextOf } from '../preview.js'
import { findOperation } from './find-id.js'
import type { LookingSession } from './session.js'
import { lookNow } from './view.js'

export interface Shown {
  readonly document: ShowDocument
  /** something to tell about the id itself */
  readonly note: string | null
}

/** One operation, whole. @throws LedgerError not_found, with ids near it */
export async function show(session: LookingSession, operationId: string): Promise<Shown> {
  const { store, config } = session
  const look = await lookNow(session)
  const { found: record, note } = await findOperation(store, operationId)
  const { operation, claim, attempts } = record
  const { now, isOwnerGone } = look.look
  const beside = await store.beside([operation], now.at)
  const { undone_by: compensations, ...rest } = record
  const maskValue = createRedactor(config.redact).value
  const document = showDocument(
    {
      ...rest,
      twin: operation.same_as === null ? null : (beside.twins.get(operation.same_as) ?? null),
      attempts,
      claim: claim !== null && claim.until > now.at ? claim : null,
      approvals: await judgedApprovals({ store, maskValue }, operation, record.approvals),
      approved_at: beside.approved.get(operation.operation_id) ?? null,
      is_of_earlier: beside.of_earlier.has(operation.operation_id),
      compensations,
      history: await historyOf(store, operation.operation_id),
      context: contextOf({ clock: () => now, actor: 'a person', isOwnerGone }, record),
    },
    look,
  )
  return { document, note }
}

/** Events of one operation are few; those refused are among them. */
async function historyOf(store: StoreReader, operation_id: string) {
  return store.events({ about: { operation_id }, limit: 10_000 })
}
