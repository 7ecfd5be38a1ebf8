import { type ErrorFacts, factsOf } from './facts.js'
import { AMBIGUOUS_RULES, type FailureRule, NOT_APPLIED_RULES, UNLISTED } from './rules.js'

/** What a thrown value says about the outside write. */
export interface Classified {
  /** `not_applied`: certainly no effect; everything that is not listed is `ambiguous` */
  readonly end: 'not_applied' | 'ambiguous'
  /** id of the rule that decided */
  readonly rule: string
  readonly title: string
  /** in the words of whatever was thrown; not masked */
  readonly message: string
  readonly code: string | null
  readonly host: string | null
  /** the refusal is of the moment, not of the request: the same request may be taken later */
  readonly retryable: boolean
  /** the service asks to wait at least this long, milliseconds; null where it says nothing */
  readonly retry_after_ms: number | null
}

/** Reads what a handler threw. Wording is never looked at: "please try again" proves nothing. */
export function classify(thrown: unknown): Classified {
  const facts = factsOf(thrown)
  const rule = definiteRule(facts) ?? AMBIGUOUS_RULES.find(({ matches }) => matches(facts)) ?? UNLISTED
  const end = NOT_APPLIED_RULES.includes(rule) ? 'not_applied' : 'ambiguous'
  const retryable = end === 'not_applied' && rule.retryable === true
  return { end, rule: rule.id, title: rule.title, retryable, retry_after_ms: null, ...told(facts) }
}

/**
 * The rule by which nothing took effect, if there is one. The outermost error that names a code decides: `fetch`
 * hides the code in `cause`, and a wrapper with a code of its own may mean anything. Of several errors every
 * one must be definite.
 */
function definiteRule(facts: ErrorFacts): FailureRule | null {
  if (facts.errors !== null) {
    const rules = facts.errors.map(definiteRule)
    return rules.includes(null) ? null : (rules[0] ?? null)
  }
  const rule = NOT_APPLIED_RULES.find(({ matches }) => matches(facts))
  if (rule !== undefined) return rule
  return facts.code !== null || facts.cause === null ? null : definiteRule(facts.cause)
}

function told(facts: ErrorFacts): Pick<Classified, 'message' | 'code' | 'host'> {
  const inner = innermost(facts)
  const message =
    inner === facts || inner.message === facts.message ? facts.message : `${facts.message}: ${inner.message}`
  return { message, code: facts.code ?? inner.code, host: facts.host ?? inner.host }
}

/** The error that names a code, or the one furthest down. */
function innermost(facts: ErrorFacts): ErrorFacts {
  const next = facts.cause ?? facts.errors?.[0] ?? null
  return facts.code !== null || next === null ? facts : innermost(next)
}
