import type { PlanHead, PlanItem } from '../core/documents/plan.js'
import type { Decision } from '../core/transitions/by-person.js'
import type { StoreReader } from '../store/store.js'
import { type Approvable, approvable } from './approving.js'
import { type Compensable, compensable } from './compensating.js'
import {
  type AllowRetryOptions,
  allowRetryDecision,
  type DecisionOptions,
  plainDecision,
  type ResolveOptions,
  resolveDecision,
} from './decisions.js'
import { type Applied, applyItem, type Planned, planHead, planned } from './planning.js'
import { type Previewed, preview } from './preview.js'
import type { Session } from './session.js'
import { type Subject, subjectOf } from './subject.js'

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
  /** the operation on which the decision of this id was carried out; null while nobody did */
  carriedOut(decisionId: string): Promise<string | null>
  /** the first line of a plan that is made now */
  planHead(): Promise<PlanHead>
  /** freezes a decision for a plan; nothing is written. @throws LedgerError not_found, invalid_input */
  planned(operationId: string, ask: Ask): Promise<Planned>
  /** what carrying out a decision of a plan would come to; nothing is written */
  foretell(item: PlanItem): Promise<Applied>
}

/** One decision in words of the verbs. */
export type Ask =
  | { readonly type: 'resolve'; readonly how: ResolveOptions }
  | {
      readonly type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge'
      readonly how: DecisionOptions
    }
  | { readonly type: 'allow_retry'; readonly how: AllowRetryOptions }

/** What foretelling stands on; reading is enough. */
export type ForetellingSession = Pick<Session, 'clock' | 'actor' | 'isOwnerGone' | 'mask' | 'config'> & {
  readonly store: StoreReader
}

export function foretelling(session: ForetellingSession): Foretelling {
  const { store } = session
  return {
    subject: (id, as) => subjectOf(store, id, as),
    preview: async (operationId, ask) => preview(session, decisionOf(session, operationId, ask)),
    approvable: operationId => approvable(session, operationId),
    compensable: operationId => compensable(session, operationId),
    carriedOut: async decisionId => (await store.decision(decisionId))?.subject_id ?? null,
    planHead: async () => planHead(session),
    planned: (operationId, ask) => planned(session, operationId, ask),
    foretell: item => applyItem(session, item),
  }
}

/** The decision that was asked for, checked and with secrets masked. @throws LedgerError invalid_input */
export function decisionOf({ mask }: Pick<Session, 'mask'>, operationId: string, ask: Ask): Decision {
  if (ask.type === 'resolve') return resolveDecision(operationId, ask.how, mask)
  if (ask.type === 'allow_retry') return allowRetryDecision(operationId, ask.how, mask)
  return plainDecision(operationId, ask.type, { given: ask.how, mask })
}
