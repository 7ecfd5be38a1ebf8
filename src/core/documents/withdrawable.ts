import { type Approval, isExpired } from '../approval.js'
import type { Operation } from '../operation.js'
import type { Stamp } from '../time.js'
import { revocable } from '../transitions/approving.js'
import type { ActionItem } from './show.js'

/** An operation and the approvals it was given, as they stand now. */
interface Given {
  readonly operation: Operation
  readonly approvals: readonly Approval[]
  readonly now: Stamp
}

/** Is there anything that permits a further attempt beside the operation's own budget, or was anything sent? */
export function hasLeave(given: Given): boolean {
  const { attempt, extra_attempts } = given.operation
  return attempt > 0 || extra_attempts > 0 || isApprovalThere(given)
}

/** Does an approval permit it, or could one again? One that has expired permits nothing: there is nothing to take back. */
export function isApprovalThere({ operation, approvals, now }: Given): boolean {
  return revocable({ operation }, approvals).some(approval => !isExpired(approval, now))
}

/** The same action, denied: the table would allow it, and it would change nothing. */
export function nothingToWithdraw(item: ActionItem): ActionItem {
  const refusal = {
    rule: 'leave_there',
    reason: 'nobody gave leave to send it that could be taken back',
    satisfy: 'to keep it from being sent, cancel it',
  }
  return { ...item, allowed: false, command: null, refusal, to: null, note: null }
}
