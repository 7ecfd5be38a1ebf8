import { actorWords } from './actor.js'
import { awaitsApproval } from './approval.js'
import type { Category } from './category.js'
import { categoryOfRule, isRetryable } from './classify/rules.js'
import { isInDoubt, type Look } from './in-doubt.js'
import type { OperationOutline } from './operation.js'
import { isSafeToRepeat } from './repeat.js'
import { ledgerCommand } from './shell-word.js'
import type { Task } from './task.js'
import type { Stamp } from './time.js'

export const NEXT_ACTIONS = [
  'none',
  'wait',
  'reconcile',
  'resend_same_key',
  'ask_person',
  'resume',
  'compensate',
] as const

/** The recovery record of an operation, as an agent, a script or a screen reads it. */
export interface NextAction {
  readonly domain: 'node' | 'external_operation' | 'connection' | 'state_store'
  readonly category: Category | null
  readonly operation_id: string
  readonly attempts: number
  readonly safe_to_repeat: boolean
  readonly next_action: (typeof NEXT_ACTIONS)[number]
  readonly reason: string
  /** do nothing before this moment, milliseconds since 1970 UTC */
  readonly not_before: number | null
  /** until when a repeat stays safe */
  readonly safe_until: number | null
}

export interface NextActionQuestion {
  readonly operation: OperationOutline
  readonly look: Look
  /** null where nobody read it */
  readonly task: Pick<Task, 'status' | 'taken_over_by'> | null
  readonly targetTouched: boolean | null
  /** is an external id of it on file? left out where nobody read them */
  readonly hasExternalIds?: boolean
  /** does an approval permit its next send? left out where nobody read them */
  readonly isApproved?: boolean
  /** was it written down before the ledger was copied or restored? left out where nobody read it */
  readonly isOfEarlier?: boolean
  /** what the latest look left to a person; left out where nobody read the evidence */
  readonly leftToPerson?: string | null
}

type Advice = Pick<NextAction, 'next_action' | 'reason'> & { not_before?: number | null }

/** What to do with an operation now, and why. Derived from its row alone: the configuration need not be there. */
export function nextAction(question: NextActionQuestion): NextAction {
  const { operation, look, targetTouched } = question
  const repeat = isSafeToRepeat({ operation, now: look.now, targetTouched })
  const advice = adviceFor(question, repeat.safe)
  return {
    domain: 'external_operation',
    category: categoryOf(operation, look),
    operation_id: operation.operation_id,
    attempts: operation.attempt,
    safe_to_repeat: repeat.safe,
    next_action: advice.next_action,
    reason: advice.reason,
    not_before: advice.not_before ?? null,
    safe_until: repeat.until,
  }
}

function adviceFor(question: NextActionQuestion, isSafe: boolean): Advice {
  const { operation, look } = question
  switch (operation.status) {
    case 'confirmed':
      return confirmedAdvice(operation)
    case 'not_executed':
    case 'cancelled':
    case 'abandoned':
      return { next_action: 'none', reason: `it is settled: ${operation.status}` }
    case 'in_flight':
      return isInDoubt(operation, look) ? doubtAdvice(question, isSafe) : flightAdvice(operation)
    case 'unknown':
      return doubtAdvice(question, isSafe)
    case 'prepared':
      return operation.may_have_applied && !isDuplicateAllowed(operation)
        ? doubtAdvice(question, isSafe)
        : waitingAdvice(question)
  }
}

function confirmedAdvice({ flags, cancel_requested_at, contract }: OperationOutline): Advice {
  if (flags.duplicates) return { next_action: 'ask_person', reason: 'more than one object carries its id' }
  if (flags.target_differs)
    return { next_action: 'ask_person', reason: `it touched another target: ${flags.target_differs}` }
  if (cancel_requested_at !== null && contract.compensate !== undefined)
    return { next_action: 'compensate', reason: 'a cancel was asked, and it took effect' }
  return { next_action: 'none', reason: 'it is confirmed' }
}

function flightAdvice({ lease_expires_at, lease_owner }: OperationOutline): Advice {
  if (lease_expires_at === null)
    return {
      next_action: 'ask_person',
      reason: 'its writer takes no leases: only a person can tell whether it still runs',
    }
  const holder = lease_owner === 'remote' ? 'the service works on it' : 'its executor holds the lease'
  return { next_action: 'wait', reason: holder, not_before: lease_expires_at }
}

function doubtAdvice(question: NextActionQuestion, isSafe: boolean): Advice {
  const { operation, look, task, hasExternalIds, leftToPerson = null } = question
  const { now } = look
  if (isAhead(operation.defer_until, now))
    return { next_action: 'wait', reason: 'a person deferred it', not_before: operation.defer_until }
  const isHeld = task !== null && (task.status !== 'running' || task.taken_over_by !== null)
  if (isSafe && canResend(operation, now) && !hasExternalIds && !isHeld)
    return {
      next_action: 'resend_same_key',
      reason: 'a repeat is safe now: the same caller asking again sends it',
      not_before: isAhead(operation.next_attempt_at, now) ? operation.next_attempt_at : null,
    }
  if (leftToPerson !== null)
    return {
      next_action: 'ask_person',
      reason: `the service was asked, and could not settle it: ${leftToPerson}`,
    }
  if (operation.contract.probe !== undefined) {
    return {
      next_action: 'reconcile',
      reason: `its tool has a probe that can answer whether it happened: ${ledgerCommand('reconcile', [], operation.operation_id)}`,
      not_before: isAhead(operation.next_look_at, now) ? operation.next_look_at : null,
    }
  }
  return { next_action: 'ask_person', reason: 'only a person can find out whether it happened' }
}

function canResend(operation: OperationOutline, now: Stamp): boolean {
  const { cancel_requested_at, attempt, max_attempts, extra_attempts, flags } = operation
  if (cancel_requested_at !== null || flags.reopened || flags.contradicted) return false
  return (attempt < max_attempts || extra_attempts > 0) && !isDeadlinePassed(operation, now)
}

function isDeadlinePassed({ deadline_at }: OperationOutline, now: Stamp): boolean {
  return deadline_at !== null && deadline_at <= now.at
}

function isAhead(at: number | null, now: Stamp): boolean {
  return at !== null && at > now.at
}

function waitingAdvice(question: NextActionQuestion): Advice {
  const { operation, look, task, isApproved = false, isOfEarlier = false } = question
  const { now } = look
  if (isOfEarlier)
    return {
      next_action: 'ask_person',
      reason:
        'it was written down before this ledger was copied or restored, and may have been sent since: look, then cancel it, and allow it again where it is not there',
    }
  if (task !== null && task.taken_over_by !== null)
    return {
      next_action: 'wait',
      reason: `its task is held by ${actorWords(task.taken_over_by)} until handback`,
    }
  if (isDeadlinePassed(operation, now))
    return { next_action: 'ask_person', reason: 'its deadline has passed: is it still wanted?' }
  if (isAhead(operation.next_attempt_at, now))
    return {
      next_action: 'wait',
      reason: operation.retry_reason ?? 'a retry is scheduled',
      not_before: operation.next_attempt_at,
    }
  if (awaitsApproval(operation, isApproved))
    return { next_action: 'ask_person', reason: 'it waits for an approval' }
  return {
    next_action: 'resume',
    reason: operation.may_have_applied
      ? 'a person allowed one more attempt, knowing that it may be a duplicate'
      : 'nothing of it was sent that may have taken effect',
  }
}

function isDuplicateAllowed({ flags, extra_attempts }: OperationOutline): boolean {
  return flags.duplicate_allowed === true && extra_attempts > 0
}

/** By what the operation is in, and within that by the rule that its last error was read by. */
function categoryOf(operation: OperationOutline, look: Look): NextAction['category'] {
  const { status, last_error, contract, flags } = operation
  const said = last_error === null ? null : categoryOfRule(last_error.rule, contract)
  // What exists already is compared; any other word of a failed attempt leaves it unknown.
  if (isInDoubt(operation, look)) return said === 'conflict' ? said : 'outcome_unknown'
  if (status === 'cancelled' || flags.denied) return 'cancelled'
  if (status === 'not_executed') return notExecutedCategory(operation, said)
  if (status === 'in_flight') return operation.lease_owner === 'remote' ? 'accepted' : null
  return status === 'prepared' && said !== 'outcome_unknown' ? said : null
}

function notExecutedCategory(
  { settled_by, attempt, max_attempts, last_error }: OperationOutline,
  said: NextAction['category'],
): NextAction['category'] {
  const isOfTheMoment = last_error === null || isRetryable(last_error.rule)
  if (attempt >= max_attempts && isOfTheMoment) return 'budget_exhausted'
  // Settled by a person or a look-up: how an attempt failed is not why.
  return settled_by !== null || said === null || said === 'outcome_unknown' ? 'refused' : said
}
