import { type Approval, isExpired } from '../approval.js'
import type { JudgedApproval } from '../approval-digest.js'
import { isoTime } from '../iso-time.js'
import { isoOrNull } from './parts.js'
import type { ApprovalItem } from './report.js'

/** An approval as documents list it, with what it is worth now. */
export function approvalItem(judged: JudgedApproval, now: number): ApprovalItem {
  const { approval, digest_now, differences } = judged
  return {
    approval_id: approval.approval_id,
    operation_id: approval.operation_id,
    digest: approval.digest,
    approver: approval.approver,
    reason: approval.reason,
    granted_at: isoTime(approval.granted_at),
    expires_at: isoOrNull(approval.expires_at),
    uses: approval.uses,
    used: approval.used,
    state: stateOf(approval, digest_now, now),
    differences,
  }
}

function stateOf(approval: Approval, digestNow: string, now: number): ApprovalItem['state'] {
  const { revoked_at, digest, used, uses } = approval
  if (revoked_at !== null) return 'revoked'
  if (digest !== digestNow) return 'for_something_else'
  if (used >= uses) return 'used_up'
  return isExpired(approval, { at: now, boot_id: '', boot_ms: 0 }) ? 'expired' : 'usable'
}
