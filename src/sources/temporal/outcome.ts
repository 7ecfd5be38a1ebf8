import type { AttemptEnd } from '../../core/attempt.js'
import type { ImportedAttempt } from '../../core/imported.js'
import type { OperationStatus } from '../../core/operation.js'
import type { ReadOptions } from '../source.js'
import { attemptOf, type Call } from './call.js'
import { type Failure, failureText, isTimeout } from './failure.js'
import { closedAs } from './identity.js'
import { type OutcomeRule, outcomeOf } from './rules/index.js'
import type { Run } from './run.js'

export interface Outcome {
  readonly rule: OutcomeRule
  /** their word */
  readonly foreign: string
  readonly why: string
  readonly attempts: readonly ImportedAttempt[]
  /** how many attempts before the last one left no event */
  readonly hidden: number
}

/** What the run says of the call, by the rule that decides. */
export function judge(run: Run, call: Call, options: ReadOptions): Outcome {
  const rule = outcomeOf(call, {
    isClosed: closedAs(run) !== null,
    isCut: isCut(run, call),
    isDescribed: run.describe !== null,
    now: options.now ?? null,
    assumeWorkersStopped: options.assumeWorkersStopped ?? false,
  })
  const attempts = attemptsOf(call, rule)
  const hidden = hiddenOf(call, attempts)
  return { rule, foreign: foreignOf(call), why: whyOf(call, rule, hidden), attempts, hidden }
}

/** Are events missing where this call could have ended? */
export function isCut(run: Run, { openId }: Call): boolean {
  const { describe, most, least, events, order } = run
  if (run.hasMore || run.isTorn || run.dangling !== null || (describe?.historyLength ?? 0) > most) return true
  if (order === 'mixed') return events < most - least + 1
  return run.gaps.some(([, until]) => until > openId)
}

function foreignOf({ end, pendingActivity, pendingNexus, started, opened, cancelAskedAt }: Call): string {
  if (end !== null) return [end.how, end.failure?.timeoutType, end.cause].filter(part => part).join(' ')
  const state = pendingActivity?.state ?? pendingNexus?.state
  if (state) return `pending ${state}`
  if (cancelAskedAt !== null) return 'CANCEL_REQUESTED'
  return started !== null ? 'STARTED' : opened !== null ? 'SCHEDULED' : 'unknown'
}

function whyOf(call: Call, rule: OutcomeRule, hidden: number): string {
  const failure =
    call.end?.failure ?? call.pendingActivity?.lastFailure ?? call.pendingNexus?.lastFailure ?? null
  const said = failure === null ? '' : ` (${failureText(failure)})`
  const by = rule.id === 'temporal.completed_by_hand' ? ` by ${call.end?.identity}` : ''
  return `${rule.title}${by}${said}. ${rule.reason}${hiddenText(call, hidden)}`
}

function hiddenText({ started, pendingActivity }: Call, hidden: number): string {
  if (hidden <= 0) return ''
  const before = started?.lastFailure ?? pendingActivity?.lastFailure ?? null
  const many = hidden === 1 ? 'One earlier attempt' : `${hidden} earlier attempts`
  if (before === null) return ` ${many} left no event.`
  const how = isTimeout(before) ? 'timed out: possible extra effect' : `failed: ${failureText(before)}`
  return ` ${many} left no event; the last of them ${how}.`
}

// Beyond it a list says nothing more; the newest are kept.
const MOST_ATTEMPTS = 100

const ENDS: Readonly<Partial<Record<OperationStatus, AttemptEnd | null>>> = {
  confirmed: 'applied',
  not_executed: 'not_applied',
  in_flight: null,
}

function attemptsOf(call: Call, { status, id }: OutcomeRule): ImportedAttempt[] {
  if (status === 'prepared') return []
  const { end, started, pendingActivity } = call
  const counted = attemptOf(call) ?? 1
  // The attempt that describe counts has not begun while it waits; the ones before it have.
  const isWaiting = id === 'temporal.waiting_retry' && pendingActivity?.startedAt === null
  const last = isWaiting ? Math.max(1, counted - 1) : counted
  const newest: ImportedAttempt = {
    n: last,
    owner: started?.identity ?? pendingActivity?.worker ?? end?.identity ?? null,
    sent_at:
      started?.at ??
      pendingActivity?.startedAt ??
      (status === 'not_executed' ? null : (call.opened?.at ?? null)),
    ended_at: end?.at ?? null,
    end: status in ENDS ? (ENDS[status] ?? null) : 'ambiguous',
    error: errorOf(
      end?.failure ?? (isWaiting || end === null ? (pendingActivity?.lastFailure ?? null) : null),
    ),
  }
  const first = Math.max(1, last - MOST_ATTEMPTS + 1)
  const before = started?.lastFailure ?? (isWaiting ? null : (pendingActivity?.lastFailure ?? null))
  const earlier = Array.from({ length: last - first }, (_, n): ImportedAttempt => {
    const isLastBefore = first + n === last - 1
    return {
      n: first + n,
      owner: null,
      sent_at: null,
      ended_at: null,
      end: 'ambiguous',
      error: (isLastBefore ? errorOf(before) : null) ?? { message: 'not recorded by Temporal' },
    }
  })
  return [...earlier, newest]
}

/** All attempts but the newest; while another is waited for, all that have begun. */
function hiddenOf(call: Call, attempts: readonly ImportedAttempt[]): number {
  if (call.kind !== 'activity') return 0
  const begun = attempts.at(-1)?.n ?? 0
  const isWaiting = call.end === null && begun < (attemptOf(call) ?? 0)
  return isWaiting ? begun : Math.max(0, begun - 1)
}

function errorOf(failure: Failure | null): ImportedAttempt['error'] {
  if (failure === null) return null
  const code = failure.timeoutType ?? failure.type
  return { message: failureText(failure), ...(code === null ? {} : { code }) }
}
