import type { PlanHead, PlanItem } from '../core/documents/plan.js'
import type { Redacted } from '../store/sql-store/redact.js'
import { type Approvable, approvable } from './approving.js'
import { type Ask, decisionOf, type ForetellingSession } from './asked-decision.js'
import { type Compensable, compensable } from './compensating.js'
import type { RedactOptions } from './keeping.js'
import { type Applied, applyItem, type Planned, planHead, planned } from './planning.js'
import { type Previewed, preview } from './preview.js'
import { type Subject, subjectOf } from './subject.js'
import { unknownOperation } from './unknown-id.js'

/** What a decision would do: works on a ledger that is open for reading only. */
export interface Foretelling {
  /** what an id means. @throws LedgerError not_found with ids near it, usage when it means two things */
  subject(id: string, as?: 'operation' | 'task'): Promise<Subject>
  /** what a decision would do; nothing is written. @throws LedgerError not_found, invalid_input */
  preview(operationId: string, ask: Ask): Promise<Previewed>
  /** what somebody would approve, with the digest that names it; nothing is written. @throws LedgerError not_found */
  approvable(operationId: string): Promise<Approvable>
  /** what undoing it would be; nothing is written. @throws LedgerError not_found */
  compensable(operationId: string): Promise<Compensable>
  /**
   * what `redact` would blank, and in whose name; nothing is written
   * @throws LedgerError not_found, refused while it is open, ledger_damaged
   */
  redactable(operationId: string, parts?: RedactOptions['parts']): Promise<Redacted & { readonly by: string }>
  /** the operation on which the decision of this id was carried out; null while nobody did */
  carriedOut(decisionId: string): Promise<string | null>
  /** the first line of a plan that is made now */
  planHead(): Promise<PlanHead>
  /** freezes a decision for a plan; nothing is written. @throws LedgerError not_found, invalid_input */
  planned(operationId: string, ask: Ask): Promise<Planned>
  /** what carrying out a decision of a plan would come to; nothing is written */
  foretell(item: PlanItem): Promise<Applied>
}

export function foretelling(session: ForetellingSession): Foretelling {
  const { store } = session
  return {
    subject: (id, as) => subjectOf(store, id, as),
    preview: async (operationId, ask) => preview(session, decisionOf(session, operationId, ask)),
    approvable: operationId => approvable(session, operationId),
    compensable: operationId => compensable(session, operationId),
    redactable: async (operation_id, parts = null) => {
      if ((await store.operation(operation_id)) === null) throw await unknownOperation(store, operation_id)
      return { ...(await store.redactable({ operation_id, parts })), by: session.actor }
    },
    carriedOut: async decisionId => (await store.decision(decisionId))?.subject_id ?? null,
    planHead: async () => planHead(session),
    planned: (operationId, ask) => planned(session, operationId, ask),
    foretell: item => applyItem(session, item),
  }
}
