import { actorWords } from '../../actor.js'
import { flawOf } from '../../approval.js'
import { firstSent, hasArrivalPassed } from '../../attempt.js'
import type { Operation } from '../../operation.js'
import { isSafeToRepeat } from '../../repeat.js'
import { ledgerCommand } from '../../shell-word.js'
import { elapsedAtMost } from '../../time.js'
import { isTombstone } from '../../tombstone.js'
import type { Request } from '../requests.js'
import { type Guard, objection, wallTime } from './guard.js'

export const taskRunning: Guard = {
  id: 'task_running',
  title: 'the task runs, or was cancelled and this cleans up, and nobody has taken it over',
  code: 'refused',
  check: ({ state: { operation }, context: { task } }) => {
    if (task.taken_over_by !== null)
      return objection(
        `task ${task.task_id} was taken over by ${actorWords(task.taken_over_by)}`,
        `hand it back first: ${ledgerCommand('handback', [], task.task_id)}`,
      )
    if (task.status === 'running') return null
    // what was asked for to clean up after a cancel is sent in spite of it
    if (operation.flags.cleanup && (task.status === 'cancel_requested' || task.status === 'cancelled'))
      return null
    return objection(
      `task ${task.task_id} is ${task.status}`,
      'only a running task sends: its run sets it to running, or opens another task',
    )
  },
}

/** Between the end of a grace and the supervisor's next look nothing slips through; without one nothing is held for ever. */
const AFTER_GRACE_MS = 60_000

export const notInGrace: Guard = {
  id: 'not_in_grace',
  title: 'no supervisor gave notice to its task, or it only reads',
  code: 'refused',
  check: ({ state: { operation }, context: { task, now } }) =>
    task.grace_until === null ||
    now.at > task.grace_until + AFTER_GRACE_MS ||
    operation.effect === 'read' ||
    operation.flags.cleanup
      ? null
      : objection(
          `a notice was given to task ${task.task_id}: ${task.grace_reason ?? 'no reason'}`,
          `nothing but reads is newly sent until what it names is over, or a person says so: ${ledgerCommand('handback', [], task.task_id)}`,
        ),
}

export const epochAsClaimed: Guard = {
  id: 'epoch_as_claimed',
  title: "the executor claimed the task's current epoch",
  code: 'conflict',
  check: ({ request, context: { task } }) =>
    request.type !== 'send' || request.epoch === null || request.epoch === task.epoch
      ? null
      : objection(
          `task ${task.task_id} is at epoch ${task.epoch}, the executor claimed epoch ${request.epoch}`,
          'this executor was fenced off by a takeover: end it, and start a new one that opens the task again',
        ),
}

/** What was blanked is not what was asked for. */
export const inputKept: Guard = {
  id: 'input_kept',
  title: 'its input is there to be sent',
  code: 'refused',
  check: ({ state: { operation } }) =>
    isTombstone(operation.input)
      ? objection('its input was blanked', 'make a new operation with the input it is to have')
      : null,
}

export const noCancelAsked: Guard = {
  id: 'no_cancel_asked',
  title: 'nobody asked to cancel it',
  code: 'refused',
  check: ({ state: { operation }, request }) =>
    operation.cancel_requested_at === null ||
    (request.type === 'allow_retry' && operation.status === 'cancelled')
      ? null
      : objection('a cancel is asked', 'settle it; a cancelled operation comes back with `allow-retry`'),
}

export const fenceAsHeld: Guard = {
  id: 'fence_as_held',
  title: 'nothing was decided since the executor prepared it',
  code: 'conflict',
  check: ({ state: { operation }, request }) =>
    request.type !== 'send' || request.fence === null || request.fence === operation.lease_fence
      ? null
      : objection(
          `the fence is ${operation.lease_fence}, the executor holds ${request.fence}`,
          'somebody decided or took over: read the operation again before sending',
        ),
}

export const sameIncarnation: Guard = {
  id: 'same_incarnation',
  title: 'it was prepared in this incarnation of the ledger',
  code: 'refused',
  check: ({ context }) =>
    context.new_incarnation
      ? objection(
          'this ledger was restored or copied since: it may have been sent after the copy was made',
          'a person decides: look at the outside service, then resolve or allow-retry',
        )
      : null,
}

export const deadlineAhead: Guard = {
  id: 'deadline_ahead',
  title: 'the deadline has not passed',
  code: 'refused',
  check: ({ state: { operation }, context: { task, now } }) => {
    const deadline = Math.min(operation.deadline_at ?? Infinity, task.deadline_at ?? Infinity)
    if (deadline === Infinity || elapsedAtMost(wallTime(deadline), now) < 0) return null
    return objection(
      'the deadline has passed',
      'decide whether it is still wanted; if so, prepare a new operation',
    )
  },
}

export const retryTimeReached: Guard = {
  id: 'retry_time_reached',
  title: 'the time of the next attempt has come',
  code: 'refused',
  check: ({ state: { operation }, context: { now } }) =>
    operation.next_attempt_at === null || now.at >= operation.next_attempt_at
      ? null
      : objection(`the next attempt is due in ${operation.next_attempt_at - now.at} ms`, 'wait until then'),
}

/** Rule of the error that a sign of life from an unannounced attempt leaves. */
export const UNANNOUNCED = 'unannounced_attempt'

export const noStrangerSeen: Guard = {
  id: 'no_stranger_seen',
  title: 'no sign of life came from an attempt that nobody announced, or a person granted one since',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.last_error?.rule !== UNANNOUNCED || operation.extra_attempts > 0
      ? null
      : objection(
          `${operation.last_error.message}: somebody may be sending it`,
          'a person finds out who that is; then cancel it, and allow-retry if it is still wanted',
        ),
}

export const budgetLeft: Guard = {
  id: 'budget_left',
  title: 'an attempt is left',
  code: 'refused',
  check: ({ state: { operation } }) =>
    operation.attempt < operation.max_attempts || operation.extra_attempts > 0
      ? null
      : objection(
          `all ${operation.max_attempts} attempts are used`,
          `a person may grant one more: ${ledgerCommand('allow-retry', ['--reason', '…'], operation.operation_id)}`,
        ),
}

export const repeatSafeOrAccepted: Guard = {
  id: 'repeat_safe_or_accepted',
  title: 'nothing may have applied, or a repeat is safe now, or a person accepted the duplicate',
  code: 'refused',
  check: ({ state: { operation, attempts }, context, request }) => {
    const answer = isSafeToRepeat({
      operation,
      now: context.now,
      targetTouched: context.target_touched,
      firstSent: firstSent(attempts),
    })
    if (answer.safe) return null
    return isAccepted(operation, request)
      ? null
      : objection(
          `an earlier attempt may have taken effect and ${answer.reason}`,
          `find out first whether it did, then \`resolve\` it; or take the risk: ${ledgerCommand('allow-retry', ['--accept-duplicate', '…', '--reason', '…'], operation.operation_id)}`,
        )
  },
}

/** What a person accepted holds for the attempt they granted: not for `resend`, which nobody was asked about. */
function isAccepted({ flags, extra_attempts }: Operation, request: Request): boolean {
  switch (request.type) {
    case 'allow_retry':
      return request.accept_duplicate !== null
    case 'send':
      return flags.duplicate_allowed === true && extra_attempts > 0
    default:
      return false
  }
}

/**
 * The same guard where an earlier attempt may have taken effect and no person granted this one: a repeat that was
 * scheduled when its answer was lost is held, when it is sent, to what `resend` asked then.
 */
export function forRepeat(guard: Guard): Guard {
  return {
    ...guard,
    id: `${guard.id}_for_a_repeat`,
    title: `${guard.title}, or nothing may have applied, or a person granted the attempt`,
    check: move => {
      const { may_have_applied, extra_attempts } = move.state.operation
      return may_have_applied && extra_attempts === 0 ? guard.check(move) : null
    },
  }
}

export const compensationAllowed: Guard = {
  id: 'compensation_allowed',
  title: 'what it undoes is confirmed, can no longer arrive again, and nobody else undoes it',
  code: 'refused',
  check: ({ state: { operation }, context: { compensated, now } }) => {
    if (operation.compensates === null) return null
    if (compensated === null)
      return objection(`${operation.compensates} is not in this ledger`, 'name an operation')
    const { operation: done, attempts, other_compensation } = compensated
    if (done.status !== 'confirmed')
      return objection(
        `${done.operation_id} is ${done.status}, not confirmed`,
        `find out first whether it took effect: ${ledgerCommand('show', [], done.operation_id)}, then \`resolve\` it`,
      )
    if (
      attempts.some(
        attempt => (attempt.end === null || attempt.end === 'ambiguous') && !hasArrivalPassed(attempt, now),
      )
    )
      return objection(
        `an attempt of ${done.operation_id} can still arrive`,
        'wait until its latest arrival has passed',
      )
    if (other_compensation !== null)
      return objection(
        `${done.operation_id} is already undone by ${other_compensation}`,
        'look at that operation',
      )
    return null
  },
}

export const approvalMatches: Guard = {
  id: 'approval_matches',
  title: 'the approval it needs is there, for exactly this, and has a use left',
  code: 'refused',
  check: ({ state: { operation }, context: { approval, approval_digest, now } }) => {
    if (operation.contract.approval !== 'required' && approval === null) return null
    const ask = ledgerCommand('approve', [], operation.operation_id)
    if (approval === null) return objection('it needs an approval', ask)
    const flaw = flawOf(approval, { operation, digest: approval_digest ?? '', now })
    return flaw === null ? null : objection(`approval ${approval.approval_id} ${flaw}`, ask)
  },
}
