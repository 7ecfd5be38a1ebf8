import type { Category } from '../category.js'
import type { Contract } from '../operation.js'
import { CODE_RULES } from './code-rules.js'
import { GRPC_RULES } from './grpc-rules.js'
import { HTTP_RULES } from './http-rules.js'
import type { CallEnd, FailureRule } from './rule.js'
import {
  BODY_UNREAD,
  ID_IN_ERROR,
  QUEUED_REFUSAL,
  READ_FAILED,
  RESENT_BELOW,
  RETURNED,
  SAID_ACCEPTED,
  SAID_NOT_EXECUTED,
  UNLISTED,
} from './said-rules.js'
import { serviceRuleId } from './service-rule.js'
import { CONNECT_RULES, LOST_RULES } from './transport-rules.js'

/** The common rules by subject, in the order they are asked; the first that matches counts. */
export const RULE_GROUPS = {
  handler: [SAID_NOT_EXECUTED],
  services: CODE_RULES,
  http: HTTP_RULES,
  grpc: GRPC_RULES,
  connecting: CONNECT_RULES,
  lost: LOST_RULES,
} as const satisfies Readonly<Record<string, readonly FailureRule[]>>

export const RULES: readonly FailureRule[] = Object.values(RULE_GROUPS).flat()

/** Rules that look at more than the error itself; `classify` asks them at their place. */
export const RULES_AROUND: readonly FailureRule[] = [
  RETURNED,
  SAID_ACCEPTED,
  ID_IN_ERROR,
  READ_FAILED,
  RESENT_BELOW,
  QUEUED_REFUSAL,
  BODY_UNREAD,
  UNLISTED,
]

// Lists ask for every row.
const BY_ID: ReadonlyMap<string, FailureRule> = new Map(
  [...RULES, ...RULES_AROUND].map(rule => [rule.id, rule] as const),
)

/** The kind of trouble that a recorded rule stands for; null for rules of the ledger's own and for none. */
export function categoryOfRule(id: string, { classify = [] }: Pick<Contract, 'classify'>): Category | null {
  const common = BY_ID.get(id)
  if (common !== undefined) return common.category
  const own = classify.find(rule => serviceRuleId(rule) === id)
  return own === undefined ? null : CATEGORY_OF_END[own.end]
}

/** Does a recorded rule stand for a refusal of the moment? */
export function isRetryable(id: string): boolean {
  return BY_ID.get(id)?.retryable === true
}

export const CATEGORY_OF_END: Readonly<Record<CallEnd, Category | null>> = {
  applied: null,
  not_applied: 'refused',
  accepted: 'accepted',
  ambiguous: 'outcome_unknown',
}
