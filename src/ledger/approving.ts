import type { Approval } from '../core/approval.js'
import { approvalDigest, approvedOf, type JudgedApproval } from '../core/approval-digest.js'
import { LedgerError } from '../core/errors.js'
import { checkKeys } from '../core/given.js'
import type { JsonValue } from '../core/json.js'
import type { Operation } from '../core/operation.js'
import { ledgerCommand } from '../core/shell-word.js'
import { type StillSending, stillSending } from '../core/still-sending.js'
import type { Task } from '../core/task.js'
import type { Stamp } from '../core/time.js'
import { digestRefusal, refusalToApprove } from '../core/transitions/approving.js'
import type { Refusal } from '../core/transitions/requests.js'
import type { ForetellingSession } from './asked-decision.js'
import { recordRefusal } from './decide.js'
import { storedText } from './decisions.js'
import { judgedApprovals } from './judged-approvals.js'
import { byOf, type Session } from './session.js'
import { unknownOperation } from './unknown-id.js'
import { whoDecided } from './who-decided.js'

/** What a person would approve, and what stands against it. */
export interface Approvable {
  readonly operation: Operation
  readonly task: Task
  /** names what would be approved: what `approve` wants to be told again */
  readonly digest: string
  /** what the digest is made over, with secrets masked */
  readonly asked: JsonValue
  /** those there are, each with where it differs from what is there now; oldest first */
  readonly approvals: readonly JudgedApproval[]
  readonly refusal: Refusal | null
  /** when it was told */
  readonly now: Stamp
}

/** How a person gives leave to send an operation. */
export interface ApproveOptions {
  /** of what they were shown, from `approvable`: another one is refused */
  readonly digest: string
  readonly reason?: string
  /** after this moment it permits nothing, milliseconds since 1970 UTC; default: it does not run out */
  readonly expiresAt?: number
  /** how many sends, each with its retries while they end without effect for certain; default 1 */
  readonly uses?: number
}

export interface RevokeOptions {
  readonly reason: string
}

export interface Approved {
  readonly operation: Operation
  readonly approval: Approval
  /** the command that takes it back */
  readonly undo: string
}

export interface RevokedApprovals {
  readonly operation: Operation
  readonly revoked: readonly Approval[]
  /** attempts that were sent under it and whose bytes may still leave */
  readonly still_sending: readonly StillSending[]
  readonly undo: string | null
}

/** Tells what would be approved; nothing is written. @throws LedgerError not_found */
export async function approvable(session: ForetellingSession, operationId: string): Promise<Approvable> {
  const { store, mask, clock } = session
  const record = await store.operation(operationId)
  if (record === null) throw await unknownOperation(store, operationId)
  const { operation, attempts, task, approvals } = record
  const digest = approvalDigest(operation)
  const now = clock()
  return {
    operation,
    task,
    digest,
    asked: mask.value(approvedOf(operation)),
    approvals: await judgedApprovals({ store, maskValue: mask.value }, operation, approvals),
    refusal: refusalToApprove({ state: { operation, attempts }, task, approvals, digest, now, seen: digest }),
    now,
  }
}

/** The same before a person is asked: what would be refused is refused now, on the record. */
export async function checkApproval(
  session: Session,
  operationId: string,
  { reason, expectDigest }: { readonly reason: string; readonly expectDigest?: string | undefined },
): Promise<Approvable> {
  const found = await approvable(session, operationId)
  const { operation, digest } = found
  const refusal = found.refusal ?? digestRefusal({ operation, digest, seen: expectDigest ?? digest })
  if (refusal !== null) throw await notApproved(session, operationId, { refusal, reason })
  return found
}

/** @throws LedgerError not_found, invalid_input, conflict, refused (on the record) */
export async function approve(
  session: Session,
  operationId: string,
  given: ApproveOptions,
): Promise<Approved> {
  checkKeys(given, APPROVE_KEYS, `the approval of ${operationId}`)
  const { store, mask } = session
  const { digest, expiresAt = null, uses = 1 } = given
  const reason = storedText(given.reason ?? '', 'reason', mask)
  const by = byOf(session)
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw unfit(operationId, 'digest', `${String(digest)} is no digest`)
  if (!Number.isSafeInteger(uses) || uses < 1 || uses > MOST_USES)
    throw unfit(operationId, 'uses', `an approval has 1 to ${MOST_USES} uses`)
  if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > by.clock().at))
    throw unfit(operationId, 'expiresAt', 'an approval runs out in the future')
  const record = await store.operation(operationId)
  if (record === null) throw await unknownOperation(store, operationId)
  const approved = mask.value(approvedOf(record.operation))
  const asked = { operation_id: operationId, digest, approved, reason, expires_at: expiresAt, uses }
  const granted = await store.approve(asked, by)
  if (granted === null) throw await unknownOperation(store, operationId)
  if (granted.refusal !== null) throw await notApproved(session, operationId, { reason, ...granted })
  return {
    operation: record.operation,
    approval: granted.approval,
    undo: ledgerCommand('revoke', ['--reason', '…'], operationId),
  }
}

const APPROVE_KEYS: Readonly<Record<keyof ApproveOptions, true>> = {
  digest: true,
  reason: true,
  expiresAt: true,
  uses: true,
}

/** A use is one send; whoever needs more than this wants no approval. */
const MOST_USES = 1_000

/** A refusal to approve, on the record, with who denied it. */
export async function notApproved(
  session: Session,
  operation_id: string,
  { refusal, reason }: { readonly refusal: Refusal; readonly reason: string },
): Promise<LedgerError> {
  const { rule, code, satisfy } = refusal
  const facts =
    rule === 'not_denied' ? await whoDecided(session.store, { operation_id, since: null, type: 'deny' }) : {}
  const about = { decision: 'approve', rule, why: refusal.reason, reason }
  const unrecorded = await recordRefusal(session, { operation_id }, about)
  return new LedgerError(code, refusal.reason, {
    id: operation_id,
    rule,
    hint: satisfy,
    facts: { ...facts, ...unrecorded },
  })
}

/** The id of an operation takes back all of its approvals, that of an approval this one. @throws LedgerError not_found, refused */
export async function revoke(session: Session, id: string, given: RevokeOptions): Promise<RevokedApprovals> {
  const { store, mask, isOwnerGone } = session
  const reason = storedText(given.reason, 'reason', mask)
  const by = byOf(session)
  const one = await store.approval(id)
  const operation_id = one?.operation_id ?? id
  if (reason.trim() === '')
    throw new LedgerError('refused', 'no reason was given', {
      id,
      rule: 'reason_given',
      hint: 'give --reason',
    })
  const done = await store.revoke({ operation_id, approval_id: one?.approval_id ?? null, reason }, by)
  if (done === null) throw await unknownOperation(store, id)
  const { state, revoked } = done
  if (revoked.length === 0) throw await nothingToRevoke(session, id, { operation_id, reason })
  return {
    operation: state.operation,
    revoked,
    still_sending: stillSending(state.attempts, { now: by.clock().at, isOwnerGone }),
    undo: ledgerCommand('approve', [], operation_id),
  }
}

async function nothingToRevoke(
  session: Session,
  id: string,
  { operation_id, reason }: { readonly operation_id: string; readonly reason: string },
): Promise<LedgerError> {
  const why = `no approval of ${operation_id} permits anything`
  const rule = 'approval_there'
  const unrecorded = await recordRefusal(session, { operation_id }, { decision: 'revoke', rule, why, reason })
  return new LedgerError('refused', why, {
    id,
    rule,
    hint: `See what became of them: ${ledgerCommand('show', [], operation_id)}`,
    facts: unrecorded,
  })
}

function unfit(id: string, path: string, message: string): LedgerError {
  return new LedgerError('invalid_input', `${id}: ${message}`, { id, path })
}
