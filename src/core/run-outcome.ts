import { digestOf } from './digest.js'
import type { JsonValue } from './json.js'
import { type NextAction, nextAction } from './next-action.js'
import type { ExternalId, Operation, SettledBy } from './operation.js'
import type { Context, Refusal } from './transitions/requests.js'

/**
 * What a guarded run comes to; every member must be handled. Times are milliseconds since 1970 UTC.
 * `T` is what the handler returns; on a replay it comes back as JSON holds it.
 */
export type RunOutcome<T = unknown> =
  | {
      readonly status: 'confirmed'
      /** absent where the handler returned nothing, or where the result is kept by digest only */
      readonly result?: T
      readonly external_ids: readonly ExternalId[]
      /** what it rests on: the executor's receipt, a probe, a person's word, or another system's record */
      readonly by: SettledBy
      /** true: the handler was not run, this is what the ledger has on record */
      readonly replayed: boolean
      /** another operation of the task with the same tool and input, which answers; absent where it is the one asked for */
      readonly answered_by?: string
    }
  /** no attempt took effect */
  | (Open & { readonly status: 'not_executed'; readonly reason: string })
  /** it may have taken effect: do not repeat it, do as `next_action` says */
  | (Open & { readonly status: 'unknown' })
  /** another executor holds it; `until` is when its lease ends, null where it takes none */
  | (Open & {
      readonly status: 'in_progress'
      readonly owner: string
      readonly until: number | null
      /** true: it runs in this very process */
      readonly here: boolean
    })
  | (Open & {
      readonly status: 'waiting'
      readonly for: 'approval' | 'retry' | 'person'
      readonly until?: number
      /** which rule holds it, and what would satisfy it */
      readonly reason: string
    })
  /** no attempt was sent and none will be; the reason stands where its task was cancelled before it was written down */
  | (Open & { readonly status: 'cancelled'; readonly reason?: string })
  | (Open & { readonly status: 'abandoned' })
  /** it took effect, and the ledger could not record that; `command` records it */
  | (Open & { readonly status: 'unrecorded'; readonly result: T; readonly command: string })

/** What every outcome says that is not on record as confirmed: how to go on. */
interface Open {
  readonly next_action: NextAction
}

/** What a framework, a script or a model is handed when an operation did not simply succeed. */
export type RecoveryRecord = Pick<
  NextAction,
  'domain' | 'category' | 'operation_id' | 'attempts' | 'safe_to_repeat' | 'next_action' | 'reason'
>

/** The recovery record of an outcome; null for what is confirmed, of which nothing is to be recovered. */
export function recoveryRecord(outcome: RunOutcome): RecoveryRecord | null {
  if (outcome.status === 'confirmed') return null
  const { domain, category, operation_id, attempts, safe_to_repeat, next_action, reason } =
    outcome.next_action
  return { domain, category, operation_id, attempts, safe_to_repeat, next_action, reason }
}

/** What is on record of an operation after asking for it, and what the asking was refused by. */
export interface Answered {
  readonly operation: Operation
  readonly refusal: Refusal | null
  readonly external_ids: readonly ExternalId[]
  readonly context: Pick<Context, 'now' | 'owner_gone' | 'task' | 'target_touched'>
}

/** The answer to whoever asked for an operation: what is on record of it. */
export function outcomeOf(answered: Answered): RunOutcome<JsonValue> {
  const { operation, external_ids } = answered
  switch (operation.status) {
    case 'confirmed':
      return {
        status: 'confirmed',
        ...(isResultKept(operation) ? { result: operation.result } : {}),
        external_ids,
        by: operation.settled_by ?? 'receipt',
        replayed: true,
      }
    case 'not_executed':
      return { status: 'not_executed', reason: whyNotExecuted(answered), next_action: nextActionOf(answered) }
    case 'unknown':
      return { status: 'unknown', next_action: nextActionOf(answered) }
    case 'in_flight':
      return {
        status: 'in_progress',
        owner: operation.lease_owner ?? '',
        until: operation.lease_expires_at,
        here: false,
        next_action: nextActionOf(answered),
      }
    case 'prepared':
      return waiting(answered)
    case 'cancelled':
    case 'abandoned':
      return { status: operation.status, next_action: nextActionOf(answered) }
  }
}

/** The same answer, given for another operation of its task with the same tool and input. */
export function answeredBy<T>(outcome: RunOutcome<T>, operation_id: string): RunOutcome<T> {
  return outcome.status === 'confirmed' ? { ...outcome, answered_by: operation_id } : outcome
}

/** False where there was no result, or one too large to keep: its digest then stands alone. */
export function isResultKept({
  result,
  result_digest,
}: Pick<Operation, 'result' | 'result_digest'>): boolean {
  return result !== null || result_digest === NULL_DIGEST
}

const NULL_DIGEST = digestOf(null)

export function nextActionOf({ operation, context }: Pick<Answered, 'operation' | 'context'>): NextAction {
  return nextAction({
    operation,
    look: { now: context.now, isOwnerGone: () => context.owner_gone },
    task: context.task,
    targetTouched: context.target_touched,
  })
}

function whyNotExecuted({ operation, refusal }: Answered): string {
  const { settled_by, by_hand, last_error } = operation
  const found =
    settled_by === 'person' && by_hand !== null
      ? `${by_hand.by} settled it by hand`
      : settled_by === 'probe'
        ? 'a probe found that it did not take effect and cannot any more'
        : (last_error?.message ?? 'no attempt of it took effect')
  return refusal === null ? found : `${found}; not sent again: ${refusal.reason}`
}

function waiting(answered: Answered): RunOutcome<never> {
  const { operation, refusal } = answered
  const { next_attempt_at, retry_reason } = operation
  const advised = nextActionOf(answered)
  const until = next_attempt_at === null ? {} : { until: next_attempt_at }
  if (refusal === null && next_attempt_at !== null)
    return {
      status: 'waiting',
      for: 'retry',
      ...until,
      reason: retry_reason ?? 'a retry is due',
      next_action: advised,
    }
  const reason = refusal === null ? 'it was not sent' : `${refusal.reason}; ${refusal.satisfy}`
  // what a rule holds back is no longer free to go on, whatever the row alone says
  const next_action: NextAction =
    refusal !== null && advised.next_action === 'resume'
      ? { ...advised, next_action: 'ask_person', reason: refusal.reason }
      : advised
  switch (refusal?.rule) {
    case 'approval_matches':
      return { status: 'waiting', for: 'approval', reason, next_action }
    case 'retry_time_reached':
      return { status: 'waiting', for: 'retry', ...until, reason, next_action }
    default:
      return { status: 'waiting', for: 'person', reason, next_action }
  }
}
