import type { Attempt } from '../core/attempt.js'
import type { JsonValue } from '../core/json.js'
import type { NextAction } from '../core/next-action.js'
import type { ExternalId, Intent, Operation } from '../core/operation.js'
import { answeredBy, nextActionOf, outcomeOf, type RunOutcome } from '../core/run-outcome.js'
import type { Stamp } from '../core/time.js'
import { type Attached, attach } from '../core/transitions/attach.js'
import type { Asking, Refusal, State } from '../core/transitions/requests.js'
import { change, isCommitUnknown, type Seen } from './change.js'
import { type Executor, isHere, nextOwner } from './executor.js'
import { look } from './look.js'
import { notPrepared } from './not-prepared.js'
import { differentInput, notFound } from './refused.js'
import { undoAnnouncement } from './undo-announcement.js'

/** What is to be announced before its first byte. */
export interface Announcement {
  readonly operation_id: string
  /** null where only the id is named */
  readonly intent: Intent | null
  /** what the caller says of their asking */
  readonly asking?: Asking
  /** false: what certainly did not happen is not begun again, for nobody asked for it now */
  readonly rerun?: boolean
  /** null = this writer takes no lease */
  readonly lease_ms: number | null
  /** the epoch the executor claimed; left out: the one this handle holds, or claims now */
  readonly epoch?: number
  /** who holds the lease; left out: this process */
  readonly owner?: string
}

/** One sending that is durably announced: bytes may leave until `attempt.send_by`. */
export interface Live {
  readonly operation: Operation
  readonly attempt: Attempt
  /** null = no lease */
  readonly lease_ms: number | null
  readonly epoch: number
  readonly previous: Previous
  /** when the announcement began, so that waiting for the lock counts against the lease */
  readonly began: { readonly stamp: Stamp; readonly monotonic_ms: number }
}

/** What earlier attempts left. */
export interface Previous {
  readonly attempts: readonly Pick<Attempt, 'n' | 'sent_at' | 'ended_at' | 'end' | 'error'>[]
  /** the last progress that an attempt reported */
  readonly progress: JsonValue | null
  readonly external_ids: readonly ExternalId[]
}

export type Announced =
  | { readonly sent: true; readonly live: Live }
  | {
      readonly sent: false
      /** the one that answers: perhaps an earlier one of the same tool and input */
      readonly operation: Operation
      readonly outcome: RunOutcome<JsonValue>
      /** null where its record answers: it is settled, or in flight elsewhere */
      readonly refusal: Refusal | null
      readonly next_action: NextAction
    }
  /** its task was cancelled before anything of it was written down */
  | {
      readonly sent: false
      readonly operation: null
      readonly outcome: RunOutcome<JsonValue>
      readonly refusal: Refusal
    }

/**
 * Writes down in one commit that an attempt begins, or finds out why none may. When this rejects, nothing was
 * sent and nothing will be: `different_input`, `not_found`, `busy`, `ledger_unwritable`.
 */
export async function announce(executor: Executor, wanted: Announcement): Promise<Announced> {
  const owner = wanted.owner ?? nextOwner(executor)
  const began = { stamp: executor.clock(), monotonic_ms: executor.monotonicMs() }
  const { operation_id, intent, lease_ms, asking = {}, rerun = true } = wanted
  const send = {
    owner,
    lease_ms,
    epochOf: (task: string) => wanted.epoch ?? executor.epochs.get(task) ?? null,
    jitter: Math.random(),
  }
  const subject = { operation_id, ...(intent === null ? {} : { task_id: intent.task_id }) }
  let seen: Seen<Attached> | null
  try {
    seen = await change(executor, subject, (state, context) =>
      attach(state, { intent, asking, rerun, send }, context),
    )
  } catch (error) {
    if (isCommitUnknown(error)) await undoAnnouncement(executor, { operation_id, owner })
    throw error
  }
  if (seen === null) throw notFound(operation_id)
  const { changed, plan } = seen
  if (plan.other !== null) throw differentInput(operation_id, plan.other)
  if (changed.state === null) return notBegun(executor, intent, changed.refusal)
  if (changed.task !== null) holdEpoch(executor, changed.task)
  const attempt = attemptOf(changed.state, owner)
  if (attempt === null) return notSent(executor, seen, changed.state.operation)
  const epoch = changed.task?.epoch ?? seen.context.task.epoch
  return {
    sent: true,
    live: { operation: changed.state.operation, attempt, lease_ms, epoch, previous: previousOf(seen), began },
  }
}

/** The first epoch that a handle sees of a task is the one it holds. */
export function holdEpoch({ epochs }: Executor, task: { task_id: string; epoch: number }): number {
  const held = epochs.get(task.task_id)
  if (held !== undefined) return held
  epochs.set(task.task_id, task.epoch)
  return task.epoch
}

function attemptOf({ operation, attempts }: State, owner: string): Attempt | null {
  if (operation.status !== 'in_flight' || operation.lease_owner !== owner) return null
  return attempts.find(({ n }) => n === operation.attempt) ?? null
}

function notSent(
  executor: Executor,
  { changed, context, plan }: Seen<Attached>,
  operation: Operation,
): Announced {
  const refusal = plan.refusal ?? changed.refusal
  const external_ids = context.known_external_ids
  const outcome = outcomeOf({ operation, refusal, external_ids, context })
  return {
    sent: false,
    operation,
    outcome:
      outcome.status === 'in_progress' ? { ...outcome, here: isHere(executor, outcome.owner) } : outcome,
    refusal,
    next_action: nextActionOf({ operation, context }),
  }
}

/** The intent was not written down: an earlier operation stands for it, or its task was cancelled. */
async function notBegun(
  executor: Executor,
  intent: Intent | null,
  refusal: Refusal | null,
): Promise<Announced> {
  if (intent === null || refusal === null) throw notFound(intent?.operation_id ?? '')
  if (refusal.rule === 'task_not_cancelled')
    return { sent: false, operation: null, outcome: neverBegun(intent, refusal), refusal }
  if (refusal.rule === 'same_write_once' && refusal.other !== undefined) {
    const { operation, outcome, next_action } = await look(executor, refusal.other)
    warnOfSameWrite(executor, intent, operation)
    return {
      sent: false,
      operation,
      outcome: answeredBy(outcome, operation.operation_id),
      refusal,
      next_action,
    }
  }
  throw await notPrepared(executor, intent, refusal)
}

/** Loud, for an id of its own says that another write is meant; and it is not made. */
function warnOfSameWrite({ warn }: Executor, { operation_id }: Intent, { operation_id: other }: Operation) {
  const message = `${operation_id} is the same call as ${other} of its task, tool and input: that one answers, and nothing is sent. Where both are meant, say why (again)`
  warn({ code: 'same_write', message, operation_id })
}

function previousOf({ before, context }: Seen<Attached>): Previous {
  return {
    attempts: (before?.attempts ?? []).map(({ n, sent_at, ended_at, end, error }) => {
      return { n, sent_at, ended_at, end, error }
    }),
    progress: before?.operation.progress ?? null,
    external_ids: context.known_external_ids,
  }
}

function neverBegun({ operation_id }: Intent, { reason }: Refusal): RunOutcome<JsonValue> {
  const next_action: NextAction = {
    domain: 'external_operation',
    category: 'cancelled',
    operation_id,
    attempts: 0,
    safe_to_repeat: false,
    next_action: 'none',
    reason,
    not_before: null,
    safe_until: null,
  }
  return { status: 'cancelled', reason, next_action }
}
