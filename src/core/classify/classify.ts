import type { Category } from '../category.js'
import type { Contract, ExternalId } from '../operation.js'
import { type Accepted, isAccepted, readAccepted } from './accepted.js'
import { type ErrorFacts, factsOf } from './facts.js'
import { idsInError, idsInResult, remoteOf } from './ids.js'
import type { CallEnd, FailureRule } from './rule.js'
import { CATEGORY_OF_END, RULES } from './rules.js'
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
import { type ServiceRule, serviceRuleId } from './service-rule.js'
import { isUndecided, serviceRuleFor, serviceRuleForResult } from './service-rules.js'
import { waitHintsIn } from './wait-hints.js'

/** What the end of a call says about the outside write. */
export interface Classified {
  /** `not_applied`: certainly no effect; everything that is not listed is `ambiguous` */
  readonly end: CallEnd
  /** id of the rule that decided; `service:…` for one of the contract's own */
  readonly rule: string
  readonly title: string
  /** the trouble it stands for; null where there is none */
  readonly category: Category | null
  /** in the words of whatever was thrown or answered; not masked */
  readonly message: string
  readonly code: string | null
  readonly host: string | null
  /** the HTTP status that was answered */
  readonly status: number | null
  /** the refusal is of the moment, not of the request: the same request may be taken later */
  readonly retryable: boolean
  /** the service's own word on whether to retry, of whatever end; null where it says nothing */
  readonly retry_said: boolean | null
  /** the service asks to wait at least this long, milliseconds; null where it says nothing */
  readonly retry_after_ms: number | null
  /** ids that the contract found in the result, or in an error that names what was made */
  readonly external_ids: readonly ExternalId[]
  /** ids in an error that says "it exists already": of an object that this write, or somebody else, made */
  readonly compare_with: readonly ExternalId[]
  /** with `accepted`: what to ask the service about, where it was named */
  readonly remote: ExternalId | null
  /** with `accepted`: how long it may take, milliseconds; null: as the contract says */
  readonly patience_ms: number | null
}

export interface ClassifyOptions {
  /** what the tool's contract says of this service; default: nothing */
  readonly contract?: Pick<Contract, 'classify' | 'ids' | 'queues'>
  /** this machine's time, milliseconds since 1970 UTC, for answers that name a date and not their own */
  readonly at?: number
}

/** Reads what a handler threw. Wording is never looked at: "please try again" proves nothing. */
export function classify(thrown: unknown, options: ClassifyOptions = {}): Classified {
  return isAccepted(thrown) ? classifiedAccepted(thrown) : classifyFacts(thrown, factsOf(thrown), options)
}

/** Reads an end whose facts are known: those of `given`, or of an answer made into facts elsewhere. */
export function classifyFacts(
  given: unknown,
  facts: ErrorFacts,
  { contract = {}, at }: ClassifyOptions = {},
): Classified {
  const hints = waitHintsIn(facts, at ?? null)
  const verdict = verdictOn(given, facts, contract)
  const { rule, end, retryable, isRetrySaid } = verdict
  return {
    end,
    rule: rule.id,
    title: rule.title,
    category: rule.category,
    ...told(facts),
    retryable: end === 'not_applied' && (isRetrySaid === true ? retryable : (hints.retry ?? retryable)),
    retry_said: isRetrySaid === true ? retryable : hints.retry,
    retry_after_ms: hints.wait_ms,
    external_ids: verdict.external_ids ?? [],
    compare_with: verdict.compare_with ?? [],
    remote: end === 'accepted' ? (verdict.external_ids?.[0] ?? remoteOf(facts)) : null,
    patience_ms: null,
  }
}

/**
 * Reads a value that a handler returned. It is a receipt, whatever it is, unless it is `accepted()`, or one of the
 * service's own rules knows it for something else.
 */
export function classifyResult(result: unknown, { contract = {} }: ClassifyOptions = {}): Classified {
  if (isAccepted(result)) return classifiedAccepted(result)
  const own = serviceRuleForResult(contract, result)
  const external_ids = idsInResult(contract, result)
  if (own === null) return saidBy(RETURNED, { external_ids })
  const { rule, end, retryable: mayRetry } = verdictOf(own)
  const retryable = end === 'not_applied' && mayRetry
  const remote = own.end === 'accepted' ? (external_ids[0] ?? null) : null
  return saidBy(rule, { message: own.reason, retryable, external_ids, remote })
}

function classifiedAccepted(accepted: Accepted): Classified {
  const message = 'the service took it in and works on it'
  return saidBy(SAID_ACCEPTED, { message, ...readAccepted(accepted) })
}

type SaidRule = Pick<FailureRule, 'id' | 'title' | 'category' | 'end' | 'answered'>
type Said = Partial<Pick<Classified, 'message' | 'retryable' | 'external_ids' | 'remote' | 'patience_ms'>>

/** What a value says that is no failure: of most things nothing. */
function saidBy(
  { id, title, category, end }: SaidRule,
  { message = '', retryable = false, external_ids = [], remote = null, patience_ms = null }: Said,
): Classified {
  return {
    end,
    rule: id,
    title,
    category,
    message,
    code: null,
    host: null,
    status: null,
    retryable,
    retry_said: null,
    retry_after_ms: null,
    external_ids,
    compare_with: [],
    remote,
    patience_ms,
  }
}

interface Verdict {
  readonly rule: SaidRule
  readonly end: CallEnd
  readonly retryable: boolean
  /** the contract says whether to retry: a header of the answer does not change that */
  readonly isRetrySaid?: true
  readonly external_ids?: readonly ExternalId[]
  readonly compare_with?: readonly ExternalId[]
}

/** Whose word counts: the handler's own, then an id that was made, then the service's rules, then the common ones. */
function verdictOn(
  given: unknown,
  facts: ErrorFacts,
  contract: NonNullable<ClassifyOptions['contract']>,
): Verdict {
  const common = judge(facts)
  if (common.rule === SAID_NOT_EXECUTED) return common
  if (common.end !== 'ambiguous' && isRead(facts)) return ambiguous(READ_FAILED)
  const own = serviceRuleFor(contract, facts, given)
  if (own === null && isTakenIn(common) && isUndecided(contract, facts, common.end))
    return ambiguous(BODY_UNREAD)
  const inError = idsInError(contract, given, facts)
  if (isTakenIn(own ?? common)) {
    const external_ids = [...idsInResult(contract, facts.response?.body), ...inError]
    return { ...(own === null ? common : verdictOf(own)), external_ids }
  }
  // "It exists already" names an object that somebody else may have made.
  const isCompared = common.rule.category === 'conflict'
  if (inError.length > 0 && !isCompared)
    return { rule: ID_IN_ERROR, end: 'applied', retryable: false, external_ids: inError }
  const said = own === null ? common : verdictOf(own)
  const verdict = doubted(said, facts, own === null && contract.queues === true) ?? said
  return isCompared ? { ...verdict, compare_with: inError } : verdict
}

function isTakenIn({ end }: { readonly end: CallEnd }): boolean {
  return end === 'applied' || end === 'accepted'
}

function verdictOf(own: ServiceRule): Verdict {
  const { end, reason, retry } = own
  const rule = { id: serviceRuleId(own), title: reason, end, category: CATEGORY_OF_END[end] }
  return { rule, end, retryable: retry === true, ...(retry === undefined ? {} : { isRetrySaid: true }) }
}

/** What takes the certainty out of a refusal. A rule of the service itself knows whether it queues. */
function doubted({ end, rule }: Verdict, facts: ErrorFacts, queues: boolean): Verdict | null {
  if (end !== 'not_applied') return null
  if (isResentBelow(facts)) return ambiguous(RESENT_BELOW)
  return queues && rule.answered === true ? ambiguous(QUEUED_REFUSAL) : null
}

function ambiguous(rule: FailureRule): Verdict {
  return { rule, end: 'ambiguous', retryable: false }
}

function isRead({ method, cause }: ErrorFacts): boolean {
  if (method !== null) return ['GET', 'HEAD', 'OPTIONS'].includes(method)
  return cause !== null && isRead(cause)
}

function isResentBelow({ isResent, cause }: ErrorFacts): boolean {
  return isResent || (cause !== null && isResentBelow(cause))
}

interface Judged extends Verdict {
  readonly rule: FailureRule
}

/** axios calls every failure of its fetch adapter so, and keeps what fetch threw in `cause`. */
const SAYS_NOTHING = 'ERR_NETWORK'

/**
 * The common rule that fits. The outermost error that names a code or carries an answer decides: `fetch` hides the
 * code in `cause`, and a wrapper with a code of its own may mean anything. A client that copies the code of its cause
 * says less than the cause. Of several errors every one must be definite.
 */
function judge(facts: ErrorFacts): Judged {
  const { errors, cause, code } = facts
  if (errors !== null && facts.response === null) return judgeAll(errors)
  if (
    cause !== null &&
    facts.response === null &&
    code !== null &&
    (code === cause.code || code === SAYS_NOTHING)
  )
    return judge(cause)
  const rule = RULES.find(({ matches }) => matches(facts))
  if (rule !== undefined) return judged(rule)
  return code !== null || cause === null || facts.response !== null ? judged(UNLISTED) : judge(cause)
}

function judgeAll(errors: readonly ErrorFacts[]): Judged {
  const all = errors.map(judge)
  const [first] = all
  if (first === undefined || all.some(({ end }) => end !== 'not_applied')) return judged(UNLISTED)
  return { ...first, retryable: all.every(({ retryable }) => retryable) }
}

function judged(rule: FailureRule): Judged {
  return { rule, end: rule.end, retryable: rule.end === 'not_applied' && rule.retryable === true }
}

function told(facts: ErrorFacts): Pick<Classified, 'message' | 'code' | 'host' | 'status'> {
  const inner = innermost(facts)
  const message =
    inner === facts || inner.message === facts.message ? facts.message : `${facts.message}: ${inner.message}`
  return {
    message,
    code: facts.code ?? inner.code ?? facts.grpc?.code ?? null,
    host: facts.host ?? inner.host,
    status: facts.response?.status ?? inner.response?.status ?? null,
  }
}

/** The error that names a code, or the one furthest down. */
function innermost(facts: ErrorFacts): ErrorFacts {
  const next = facts.cause ?? facts.errors?.[0] ?? null
  return facts.code !== null || facts.response !== null || next === null ? facts : innermost(next)
}
