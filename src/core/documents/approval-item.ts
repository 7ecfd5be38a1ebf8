import type { Approval } from '../approval.js'
import { isoTime } from '../iso-time.js'
import { isoOrNull } from './parts.js'
import type { ApprovalItem } from './report.js'

/** An approval as documents list it, with what it is worth now. */
export function approvalItem(approval: Approval, now: number): ApprovalItem {
  return {
    approval_id: approval.approval_id,
    operation_id: approval.operation_id,
    approver: approval.approver,
    reason: approval.reason,
    granted_at: isoTime(approval.granted_at),
    expires_at: isoOrNull(approval.expires_at),
    uses: approval.uses,
    used: approval.used,
    state: stateOf(approval, now),
  }
}

function stateOf({ revoked_at, used, uses, expires_at }: Approval, now: number): ApprovalItem['state'] {
  if (revoked_at !== null) return 'revoked'
  if (used >= uses) return 'used_up'
  return expires_at !== null && expires_at <= now ? 'expired' : 'usable'
}
