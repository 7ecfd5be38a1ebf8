import type { Operation } from './operation.js'
import { elapsedAtMost, type Stamp } from './time.js'

/** One row of `ledger_approval`: a person's leave for one operation, bound to the digest of what was shown. */
export interface Approval {
  readonly approval_id: string
  readonly operation_id: string
  /** digest over operation id, tool, target, input, effect, repeat and policy */
  readonly digest: string
  readonly approver: string
  readonly reason: string
  readonly granted_at: number
  readonly expires_at: number | null
  readonly uses: number
  readonly used: number
  readonly revoked_at: number | null
}

/** What an approval is held against. */
export interface Asked {
  readonly operation: Pick<Operation, 'approval_id'>
  /** of the operation as it is now */
  readonly digest: string
  readonly now: Stamp
}

/** Why an approval permits no send now, to stand after its id; null = it permits one. */
export function flawOf(approval: Approval, { operation, digest, now }: Asked): string | null {
  if (approval.revoked_at !== null) return 'was revoked'
  if (approval.digest !== digest) return 'was given for something else'
  if (isExpired(approval, now)) return 'has expired'
  return operation.approval_id !== approval.approval_id && approval.used >= approval.uses
    ? 'is used up'
    : null
}

/** By the clock that says more: a wall clock set back makes no approval younger. */
export function isExpired({ expires_at }: Pick<Approval, 'expires_at'>, now: Stamp): boolean {
  return expires_at !== null && elapsedAtMost({ at: expires_at, boot_id: '', boot_ms: 0 }, now) >= 0
}

/**
 * The approval that a send would use: the one in use while it holds, else the newest that permits one. Where none does,
 * the one that says most about why: the one that was in use, else the newest. `approvals` are oldest first.
 */
export function approvalFor(approvals: readonly Approval[], asked: Asked): Approval | null {
  const newestFirst = approvals.toReversed()
  const inUse = newestFirst.find(({ approval_id }) => approval_id === asked.operation.approval_id)
  if (inUse !== undefined && flawOf(inUse, asked) === null) return inUse
  return newestFirst.find(approval => flawOf(approval, asked) === null) ?? inUse ?? newestFirst[0] ?? null
}

/** Does it wait for a person's leave? `isApproved`: an approval that permits a send is on file and not used yet. */
export function awaitsApproval(
  { status, contract, approval_id }: Pick<Operation, 'status' | 'contract' | 'approval_id'>,
  isApproved: boolean,
): boolean {
  return status === 'prepared' && contract.approval === 'required' && approval_id === null && !isApproved
}
