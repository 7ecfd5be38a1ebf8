import type { Category } from '../category.js'
import type { ErrorFacts } from './facts.js'

/**
 * What the end of a call says: `applied` it took effect · `not_applied` it certainly did not and will not ·
 * `accepted` the service took it in and works on it · `ambiguous` nobody can tell.
 */
export const CALL_ENDS = ['applied', 'not_applied', 'accepted', 'ambiguous'] as const
export type CallEnd = (typeof CALL_ENDS)[number]

/** One way a call can end, and what it says about the outside write. Unlisted = ambiguous. */
export interface FailureRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  /** where the fact behind it stands */
  readonly source: string
  readonly end: CallEnd
  /** the trouble it stands for; null where there is none */
  readonly category: Category | null
  /** what it is known by: codes, statuses, names */
  readonly signals: readonly string[]
  /** the same request may be taken later: what refused it is of the moment */
  readonly retryable?: true
  /** a service said so: definite only where the service does not queue what it refuses */
  readonly answered?: true
  readonly matches: (facts: ErrorFacts) => boolean
}

type Said = Omit<FailureRule, 'matches' | 'signals'>

/** Known by the code of the error, and by `also` where the code alone can mean two things. */
export function byCode(
  codes: readonly string[],
  rule: Said,
  also: (facts: ErrorFacts) => boolean = () => true,
): FailureRule {
  const known = new Set(codes)
  return {
    ...rule,
    signals: codes,
    matches: facts => facts.code !== null && known.has(facts.code) && also(facts),
  }
}

/** Known by the status of the answer. */
export function byStatus(
  statuses: readonly number[],
  rule: Said,
  also: (facts: ErrorFacts) => boolean = () => true,
): FailureRule {
  return {
    ...rule,
    answered: true,
    signals: statuses.map(String),
    matches: facts => facts.response !== null && statuses.includes(facts.response.status) && also(facts),
  }
}
