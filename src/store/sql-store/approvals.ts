import type { Approval } from '../../core/approval.js'
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

/** Those of many, for `rowsOfMany`. */
export const APPROVALS_OF = `
select operation_id as of_id, ${COLUMNS}
from ledger_approval
where operation_id in (select value from json_each($1))
order by operation_id, granted_at, approval_id`

export function* readApproval(approval_id: string): Sql<Approval | null> {
  const [row] = yield* query(
    `select ${COLUMNS}
     from ledger_approval
     where approval_id = $1`,
    [approval_id],
  )
  return row ? approvalOf(row) : null
}

/** Counts one use, in the commit of the send that it permits. */
export function* spendApproval(approval_id: string): Sql<void> {
  const rows = yield* query(
    `update ledger_approval
     set used = used + 1
     where approval_id = $1 and used < uses`,
    [approval_id],
  )
  if (changesOf(rows) !== 1)
    throw new Error(`approval ${approval_id} has no use left inside the commit that took it`)
}

/**
 * As a condition on a row of `ledger_approval`: it permits a send. `flawOf` of core/approval.ts without the digest, which
 * no approval that was given through this program misses.
 */
export function permits(approval: string, now: string): string {
  return `${approval}.revoked_at is null
     and ${approval}.used < ${approval}.uses
     and coalesce(${approval}.expires_at > ${now}, true)`
}

/** As a condition on a row of `ledger_operation`: an approval that permits a send is on file. */
export function isApproved(now: string): string {
  return `exists (
    select 1
    from ledger_approval as a
    where a.operation_id = ledger_operation.operation_id and ${permits('a', now)}
  )`
}
