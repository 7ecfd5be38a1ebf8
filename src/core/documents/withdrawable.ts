import type { Approval } from '../approval.js'
import type { Operation } from '../operation.js'
import { revocable } from '../transitions/approving.js'
import type { ActionItem } from './show.js'

/** Is there anything that permits a further attempt beside the operation's own budget, or was anything sent? */
export function hasLeave(operation: Operation, approvals: readonly Approval[]): boolean {
  return (
    operation.attempt > 0 || operation.extra_attempts > 0 || revocable({ operation }, approvals).length > 0
  )
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
