import { firstSent } from './attempt.js'
import type { RetryPolicy } from './operation.js'
import { elapsedAtMost } from './time.js'
import type { Context, State } from './transitions/requests.js'

/**
 * What holds where neither the call nor the tool's configuration says otherwise: full jitter, `rand(0, min(cap,
 * base·2^n))` (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). The base is what a
 * service takes to come back from a restart, not what one lost packet costs.
 */
export const DEFAULT_RETRY = { base_ms: 500, cap_ms: 30_000, max_elapsed_ms: 3_600_000 } as const

/** A retry's place in the quota of its destination: the place is taken in the commit that schedules it. */
export interface Reservation {
  readonly destination: string
  /** the quota is used up to here, milliseconds since 1970 UTC */
  readonly used_until: number
}

export interface RetryQuestion {
  readonly state: State
  readonly context: Pick<Context, 'now' | 'task' | 'quota_used_until'>
  /** when the wait begins, milliseconds since 1970 UTC: the end of an attempt, or when it was sent */
  readonly since: number
  /** the service asks to wait at least so long from now; null where it says nothing */
  readonly retry_after_ms: number | null
  /** in [0, 1): drawn by the caller */
  readonly jitter: number
}

export type NextAttempt =
  | { readonly due: true; readonly at: number; readonly reason: string; readonly quota?: Reservation }
  /** `budget`: attempts or total time are spent · `deadline`: it would come too late */
  | { readonly due: false; readonly spent: 'budget' | 'deadline'; readonly reason: string }

/** When the next attempt may be sent, or why none follows. */
export function nextAttempt(question: RetryQuestion): NextAttempt {
  const { state, context, retry_after_ms } = question
  const { operation, attempts } = state
  const { now, task } = context
  if (operation.attempt >= operation.max_attempts && operation.extra_attempts === 0)
    return spent('budget', `all ${operation.max_attempts} attempts are used`)
  const place = placeInQuota(question)
  const times = [question.since + backoffMs(question), now.at + (retry_after_ms ?? 0), place?.at ?? 0]
  const at = Math.ceil(Math.max(...times))
  const deadline = Math.min(operation.deadline_at ?? Infinity, task.deadline_at ?? Infinity)
  if (at >= deadline)
    return spent('deadline', `${asked(question)}the next attempt would come after the deadline`)
  const limit = policyOf(state).max_elapsed_ms
  const first = firstSent(attempts)
  const elapsed = first === null ? 0 : elapsedAtMost(first, now) + Math.max(0, at - now.at)
  if (elapsed > limit)
    return spent('budget', `${asked(question)}the next attempt would come after ${limit} ms of trying`)
  return {
    due: true,
    at,
    reason: reasonOf(question, place !== null && place.at > now.at && place.at === at),
    ...(place === null ? {} : { quota: place.reservation }),
  }
}

function policyOf({ operation }: State): Required<Omit<RetryPolicy, 'quota'>> & Pick<RetryPolicy, 'quota'> {
  return { ...DEFAULT_RETRY, ...operation.contract.retry }
}

/** Doubled at each attempt; 2^30 of any base is beyond every cap. */
function backoffMs({ state, jitter }: RetryQuestion): number {
  const { base_ms, cap_ms } = policyOf(state)
  const doublings = Math.min(Math.max(0, state.operation.attempt - 1), 30)
  return jitter * Math.min(cap_ms, base_ms * 2 ** doublings)
}

/**
 * A token bucket kept as one time (the virtual scheduling algorithm of ITU-T I.371): a token comes back each
 * `per / retries`, and at most `retries` are saved up. An empty bucket gives the moment its next token is there.
 */
function placeInQuota({ state, context }: RetryQuestion) {
  const { quota } = policyOf(state)
  if (quota === undefined) return null
  const interval = quota.per_ms / quota.retries
  const used_until = Math.ceil(Math.max(context.quota_used_until ?? 0, context.now.at) + interval)
  const reservation: Reservation = { destination: destinationOf(state.operation), used_until }
  return { at: Math.max(context.now.at, used_until - quota.per_ms), reservation }
}

/** Whose quota an operation's retries draw on: the name its contract gives, else its tool. */
export function destinationOf({ tool, contract }: Pick<State['operation'], 'tool' | 'contract'>): string {
  return contract.retry?.quota?.destination ?? tool
}

function reasonOf({ state, retry_after_ms }: RetryQuestion, isHeldByQuota: boolean): string {
  const { attempt, max_attempts, extra_attempts } = state.operation
  const next = `attempt ${attempt + 1} of ${max_attempts + extra_attempts}`
  if (isHeldByQuota) return `${next}, when the retry quota of ${destinationOf(state.operation)} has room`
  return retry_after_ms === null ? next : `${next}; the service asked to wait ${retry_after_ms} ms`
}

/** A wait that is not kept is said, however long it is. */
function asked({ retry_after_ms }: RetryQuestion): string {
  return retry_after_ms === null ? '' : `the service asked to wait ${retry_after_ms} ms: `
}

function spent(by: 'budget' | 'deadline', reason: string): NextAttempt {
  return { due: false, spent: by, reason }
}
