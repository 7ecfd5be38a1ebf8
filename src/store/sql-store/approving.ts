import type { Approval } from '../../core/approval.js'
import { approvalDigest } from '../../core/approval-digest.js'
import { digestOf } from '../../core/digest.js'
import { refusalToApprove, revocable } from '../../core/transitions/approving.js'
import { bytesOfDigest } from '../chain.js'
import { lock, query, type Sql } from '../engine.js'
import type { By, Granted, NewApproval, Revocation, Revoked } from '../store.js'
import { approvalsOfOperation } from './approvals.js'
import type { Ledger } from './change.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent, type Writing } from './events.js'
import { readStored } from './operations.js'
import { readTask } from './tasks.js'

/** Gives leave to send. An event of the ledger about the operation: it moves nothing, so the version stays. */
export function* approve(ledger: Ledger, asked: NewApproval, by: By): Sql<Granted | null> {
  const { operation_id, digest, expires_at, uses, reason } = asked
  yield* lock({ kind: 'operation', name: operation_id })
  const { stamp } = yield* timeOfCommit(by.clock)
  const stored = yield* readStored(operation_id)
  const task = stored === null ? null : yield* readTask(stored.operation.task_id)
  if (stored === null || task === null) return null
  const approvals = yield* approvalsOfOperation(operation_id)
  const refusal = refusalToApprove({
    state: stored,
    task,
    approvals,
    digest: approvalDigest(stored.operation),
    now: stamp,
    seen: digest,
  })
  if (refusal !== null) return { approval: null, refusal }
  const approval: Approval = {
    approval_id: approvalId(operation_id, approvals.length + 1),
    operation_id,
    digest,
    approver: by.actor,
    reason,
    granted_at: stamp.at,
    expires_at,
    uses,
    used: 0,
    revoked_at: null,
  }
  yield* query(
    `insert into ledger_approval (
       approval_id, operation_id, digest, approver, reason, granted_at, expires_at, uses, used
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, 0)`,
    [approval.approval_id, operation_id, bytesOfDigest(digest), by.actor, reason, stamp.at, expires_at, uses],
  )
  const { approval_id } = approval
  yield* appendLedgerEvent(
    { ledger_id: ledger.ledger_id, stamp },
    {
      about: operation_id,
      type: 'approve',
      actor: by.actor,
      body: { approval_id, digest, expires_at, uses, reason, approved: asked.approved },
    },
  )
  return { approval, refusal: null }
}

/** Takes back the leave to send: one approval, or all of an operation. Null: there is no such operation. */
export function* revoke(ledger: Ledger, asked: Revocation, by: By): Sql<Revoked | null> {
  yield* lock({ kind: 'operation', name: asked.operation_id })
  const { stamp } = yield* timeOfCommit(by.clock)
  const stored = yield* readStored(asked.operation_id)
  if (stored === null) return null
  const writing = { ledger_id: ledger.ledger_id, stamp }
  const { operation, attempts } = stored
  const revoked = yield* revokeAll(writing, { ...asked, operation, actor: by.actor })
  return { state: { operation, attempts }, revoked }
}

interface Revoking extends Revocation {
  readonly operation: Parameters<typeof revocable>[0]['operation']
  readonly actor: string
}

/** The same inside a commit that also does something else, such as a denial. */
export function* revokeAll(
  writing: Writing,
  { operation_id, approval_id, operation, reason, actor }: Revoking,
): Sql<readonly Approval[]> {
  const found = revocable({ operation }, yield* approvalsOfOperation(operation_id)).filter(
    approval => approval_id === null || approval.approval_id === approval_id,
  )
  for (const approval of found) {
    yield* query(
      `update ledger_approval
       set revoked_at = $1
       where approval_id = $2 and revoked_at is null`,
      [writing.stamp.at, approval.approval_id],
    )
    yield* appendLedgerEvent(writing, {
      about: operation_id,
      type: 'revoke',
      actor,
      body: { approval_id: approval.approval_id, reason },
    })
  }
  return found.map(approval => ({ ...approval, revoked_at: writing.stamp.at }))
}

/** Short enough to type, the same wherever the commit is run again, and no id of an operation. */
function approvalId(operation_id: string, n: number): string {
  return `approval-${digestOf({ operation_id, n }).slice('sha256:'.length, 'sha256:'.length + 12)}`
}
