import type { Decision } from '../core/transitions/by-person.js'
import type { StoreReader } from '../store/store.js'
import {
  type AllowRetryOptions,
  allowRetryDecision,
  type DecisionOptions,
  plainDecision,
  type ResolveOptions,
  resolveDecision,
} from './decisions.js'
import { type Previewed, preview } from './preview.js'
import type { Session } from './session.js'
import { type Subject, subjectOf } from './subject.js'

/** What a decision would do: works on a ledger that is open for reading only. */
export interface Foretelling {
  /** what an id means. @throws LedgerError not_found with ids near it, usage when it means two things */
  subject(id: string, as?: 'operation' | 'task'): Promise<Subject>
  /** what a decision would do; nothing is written. @throws LedgerError not_found, invalid_input */
  preview(operationId: string, ask: Ask): Promise<Previewed>
  /** the operation on which the decision of this id was carried out; null while nobody did */
  carriedOut(decisionId: string): Promise<string | null>
}

/** One decision in words of the verbs. */
export type Ask =
  | { readonly type: 'resolve'; readonly how: ResolveOptions }
  | { readonly type: 'reopen' | 'abandon' | 'cancel' | 'withdraw'; readonly how: DecisionOptions }
  | { readonly type: 'allow_retry'; readonly how: AllowRetryOptions }

/** What foretelling stands on; reading is enough. */
export type ForetellingSession = Pick<Session, 'clock' | 'actor' | 'isOwnerGone' | 'mask'> & {
  readonly store: StoreReader
}

export function foretelling(session: ForetellingSession): Foretelling {
  const { store } = session
  return {
    subject: (id, as) => subjectOf(store, id, as),
    preview: async (operationId, ask) => preview(session, decisionOf(session, operationId, ask)),
    carriedOut: async decisionId => (await store.decision(decisionId))?.subject_id ?? null,
  }
}

/** The decision that was asked for, checked and with secrets masked. @throws LedgerError invalid_input */
export function decisionOf({ mask }: Pick<Session, 'mask'>, operationId: string, ask: Ask): Decision {
  if (ask.type === 'resolve') return resolveDecision(operationId, ask.how, mask)
  if (ask.type === 'allow_retry') return allowRetryDecision(operationId, ask.how, mask)
  return plainDecision(operationId, ask.type, { given: ask.how, mask })
}
