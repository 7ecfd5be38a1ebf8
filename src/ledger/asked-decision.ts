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
import type { Session } from './session.js'

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

/** The decision that was asked for, checked and with secrets masked. @throws LedgerError invalid_input */
export function decisionOf({ mask }: Pick<Session, 'mask'>, operationId: string, ask: Ask): Decision {
  if (ask.type === 'resolve') return resolveDecision(operationId, ask.how, mask)
  if (ask.type === 'allow_retry') return allowRetryDecision(operationId, ask.how, mask)
  return plainDecision(operationId, ask.type, { given: ask.how, mask })
}
