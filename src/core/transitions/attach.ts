import { isInDoubt } from '../in-doubt.js'
import { isLeaseLapsed } from '../lease.js'
import type { Intent, Operation } from '../operation.js'
import { nextAttempt } from '../retry.js'
import { decide } from './decide.js'
import { evolve } from './evolve.js'
import { type OtherIntent, otherIntent } from './other-intent.js'
import type { Asking, Context, OrphanReason, Refusal, Request, RequestOf, State, Step } from './requests.js'
import { scheduled } from './retrying.js'

/** Somebody wants an operation carried out, whatever became of it so far. */
export interface Wanted {
  /** null where only the id is named: the operation must be there then */
  readonly intent: Intent | null
  readonly asking: Asking
  /** false: what certainly did not happen stays as it is */
  readonly rerun: boolean
  readonly send: {
    readonly owner: string
    /** null = this writer takes no lease */
    readonly lease_ms: number | null
    /** the epoch this executor claimed of a task; null = claimed in this commit */
    readonly epochOf: (taskId: string) => number | null
    /** in [0, 1): spreads the waits of those who repeat at the same time */
    readonly jitter: number
  }
}

export interface Attached {
  /** what to write; empty when its record answers already */
  readonly steps: readonly Step[]
  /** why it is not sent, where the table or a guard says so */
  readonly refusal: Refusal | null
  /** set when the id is taken by another intent; nothing is to be written then */
  readonly other: OtherIntent | null
}

/**
 * What asking for an operation comes to: a first sending, a safe repeat, or nothing but the answer on record.
 * An operation in doubt is sent again only where the table allows `resend`. Nothing is written that would lead
 * nowhere: a repeat is planned only when its `send` would be allowed too.
 */
export function attach(state: State | null, wanted: Wanted, context: Context): Attached {
  const { intent } = wanted
  if (state === null) return intent === null ? planned([]) : first(intent, wanted)
  const other = intent === null ? null : otherIntent(state.operation, intent)
  if (other !== null) return { steps: [], refusal: null, other }
  switch (state.operation.status) {
    case 'confirmed':
    case 'cancelled':
    case 'abandoned':
      return planned([])
    case 'prepared':
      return sending(state, wanted, context)
    case 'in_flight':
      return orphaned(state, wanted, context)
    case 'unknown':
      return resent(state, wanted, context)
    case 'not_executed':
      return wanted.rerun ? again(state, { type: 'rerun' }, wanted, context) : planned([])
  }
}

// The store reads what the guards of `send` want once the intent is there, so the send is decided by it alone.
function first(intent: Intent, wanted: Wanted): Attached {
  const prepare: Request = { type: 'prepare', intent, ...wanted.asking }
  return planned([{ request: prepare }, { request: send(intent.task_id, wanted) }])
}

function sending(state: State, wanted: Wanted, context: Context): Attached {
  const request = send(state.operation.task_id, wanted)
  const decided = decide(state, request, context)
  if (decided.ok) return planned([{ request }])
  const { refusal } = decided
  if (state.operation.attempt === 0 || !isLeaveGone(refusal, context))
    return { steps: [], refusal, other: null }
  const withdraw: Request = { type: 'withdraw', reason: refusal.reason }
  return { steps: [{ request: withdraw }], refusal, other: null }
}

function orphaned(state: State, wanted: Wanted, context: Context): Attached {
  const why: OrphanReason = context.owner_gone ? 'owner_gone' : 'lease_lapsed'
  const step = orphanStep(state.operation, why)
  const after = following(state, step.request, context)
  if (!after.ok) return { steps: [], refusal: after.refusal, other: null }
  const next = resent(after.state, wanted, context)
  return { ...next, steps: [step, ...next.steps] }
}

/** The step that says an executor is gone, with what it rests on. */
export function orphanStep(operation: Operation, why: OrphanReason, reason: string | null = null): Step {
  const { lease_owner, lease_expires_at, attempt } = operation
  return {
    request: { type: 'orphan', why, reason },
    evidence: [
      {
        kind: 'lease',
        origin: why === 'person' ? 'attested' : 'observed',
        attempt,
        body: { why, owner: lease_owner, lease_expires_at },
      },
    ],
  }
}

/** Why an operation in flight is in doubt; null while its executor may live. */
export function orphanReason(
  operation: Operation,
  { now, owner_gone }: Pick<Context, 'now' | 'owner_gone'>,
): Exclude<OrphanReason, 'person'> | null {
  if (!isInDoubt(operation, { now, isOwnerGone: () => owner_gone })) return null
  return isLeaseLapsed(operation, now) && !owner_gone ? 'lease_lapsed' : 'owner_gone'
}

/** In doubt and safe to repeat: at once where enough time has passed since it was sent, else at its time. */
function resent(state: State, wanted: Wanted, context: Context): Attached {
  const since = state.attempts.at(-1)?.sent_at ?? context.now.at
  const next = nextAttempt({ state, context, since, retry_after_ms: null, jitter: wanted.send.jitter })
  const isAhead = next.due && next.at > context.now.at
  // a caller who asks is not held to the time limit of what is tried again by itself
  const retry = next.due && (isAhead || next.quota !== undefined) ? scheduled(next) : null
  if (!isAhead) return again(state, { type: 'resend', retry }, wanted, context)
  const decided = decide(state, { type: 'resend', retry }, context)
  return decided.ok
    ? planned([{ request: { type: 'resend', retry } }])
    : { steps: [], refusal: decided.refusal, other: null }
}

function again(
  state: State,
  request: RequestOf<'resend' | 'rerun'>,
  wanted: Wanted,
  context: Context,
): Attached {
  const after = following(state, request, context)
  if (!after.ok) return { steps: [], refusal: after.refusal, other: null }
  const sent = send(after.state.operation.task_id, wanted)
  const decided = decide(after.state, sent, context)
  return decided.ok
    ? planned([{ request }, { request: sent }])
    : { steps: [], refusal: decided.refusal, other: null }
}

function following(state: State, request: Request, context: Context) {
  const decided = decide(state, request, context)
  if (!decided.ok) return decided
  const { operation_id } = state.operation
  const { body, large } = decided.event
  return { ok: true, state: evolve(state, { operation_id, at: context.now.at, body, large }) } as const
}

function send(taskId: string, { send: { owner, lease_ms, epochOf } }: Wanted): Request {
  return { type: 'send', owner, lease_ms, epoch: epochOf(taskId), fence: null }
}

function planned(steps: readonly Step[]): Attached {
  return { steps, refusal: null, other: null }
}

/** Refusals by which a prepared operation has lost its leave to be sent, rather than having to wait. */
const LEAVE_GONE: readonly string[] = [
  'no_cancel_asked',
  'deadline_ahead',
  'budget_left',
  'repeat_safe_or_accepted',
  'nothing_on_file_for_a_repeat',
]

function isLeaveGone({ rule }: Refusal, { approval, now }: Context): boolean {
  if (rule !== 'approval_matches') return LEAVE_GONE.includes(rule)
  // An approval not given yet, or used up, may still come; one taken back or run out was a leave that is gone.
  if (approval === null) return false
  return approval.revoked_at !== null || (approval.expires_at !== null && now.at >= approval.expires_at)
}
