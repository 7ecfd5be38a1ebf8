import type { Approval } from '../../core/approval.js'
import type { Operation } from '../../core/operation.js'
import { changesOf, query, type Sql } from '../engine.js'
import { approvalOf } from '../rows.js'

const COLUMNS = `
  approval_id, operation_id, digest, approver, reason, granted_at, expires_at, uses, used, revoked_at`

export function* approvalsOfOperation(operation_id: string): Sql<Approval[]> {
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_approval
     where operation_id = $1
     order by granted_at, approval_id`,
    [operation_id],
  )
  return rows.map(approvalOf)
}

/** The approval that a send would use: the one in use, else the newest that could be used, else the newest. */
export function approvalFor(operation: Operation, approvals: readonly Approval[]): Approval | null {
  const newestFirst = approvals.toReversed()
  const inUse = newestFirst.find(approval => approval.approval_id === operation.approval_id)
  const usable = newestFirst.find(({ revoked_at, used, uses }) => revoked_at === null && used < uses)
  return inUse ?? usable ?? newestFirst[0] ?? null
}

/** Counts one use, in the commit of the send that it permits. */
export function* useApproval(approval_id: string): Sql<void> {
  const rows = yield* query(
    `update ledger_approval
     set used = used + 1
     where approval_id = $1 and used < uses`,
    [approval_id],
  )
  if (changesOf(rows) !== 1)
    throw new Error(`approval ${approval_id} has no use left inside the commit that took it`)
}
