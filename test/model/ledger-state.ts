import type { Approval } from '../../src/core/approval.js'
import type { Attempt } from '../../src/core/attempt.js'
import type { Flags, Operation } from '../../src/core/operation.js'
import type { State } from '../../src/core/transitions/requests.js'
import { ARRIVAL_BOUND, BOOTED_AT, LEASE, NOW, RETENTION_TICKS, TICK } from './setup.js'

/** Everything that is durable: the operation as the core left it, and what stands beside it. */
export interface LedgerState {
  readonly state: State
  /** the task is taken over */
  readonly isHeld: boolean
  /** an external id of it is on file */
  readonly hasIds: boolean
  readonly approval: Approval | null
  /** the policy is no longer the one that the approval was given under */
  readonly isPolicyChanged: boolean
  /** what follows is kept from the decisions alone, to hold the core to it */
  readonly memory: Memory
}

export interface Memory {
  /** a person accepted a duplicate for the attempt now granted */
  readonly isDuplicateAccepted: boolean
  readonly isCancelled: boolean
  readonly isDenied: boolean
}

/**
 * The one representative of all ledgers that go on alike: times are shifted so that it is NOW, the past is cut where
 * no rule looks further back, versions and fences are numbered anew, and what no rule reads is blanked. A test holds
 * that no decision changes by it.
 */
export function normalForm(ledger: LedgerState, elapsed = 0): LedgerState {
  const { operation, attempts } = ledger.state
  const shifted = (at: number) => at - elapsed
  return {
    ...ledger,
    approval: ledger.approval === null ? null : { ...ledger.approval, granted_at: NOW },
    state: {
      operation: normalRow(operation, shifted),
      attempts: attempts.map(attempt => normalAttempt(attempt, operation, shifted)),
    },
  }
}

/** Equal for two ledgers in normal form exactly when they are the same. */
export function keyOf({ state, isHeld, hasIds, approval, isPolicyChanged, memory }: LedgerState): string {
  const { operation: row, attempts } = state
  const { reopened, contradicted, denied, duplicate_allowed, duplicates } = row.flags
  const bits = [
    isHeld,
    hasIds,
    isPolicyChanged,
    memory.isDuplicateAccepted,
    memory.isCancelled,
    memory.isDenied,
    reopened === true,
    contradicted === true,
    denied === true,
    duplicate_allowed === true,
    duplicates === true,
    row.cancel_requested_at !== null,
    row.lease_owner === 'remote',
    row.may_have_applied,
  ]
  const columns = [
    row.status,
    row.extra_attempts,
    row.next_attempt_at === null ? '' : row.next_attempt_at - NOW,
    row.key_first_used_at === null ? '' : row.key_first_used_at - NOW,
    row.lease_expires_at === null ? '' : row.lease_expires_at - NOW,
    row.approval_id ?? '',
    approval === null ? '' : `${approval.used}${approval.revoked_at === null ? '' : 'r'}`,
  ]
  const ends = attempts.map(
    ({ end, fence, send_by, latest_arrival }) =>
      `${end}${fence === FENCE ? '!' : ''}${send_by - NOW},${(latest_arrival ?? 0) - NOW}`,
  )
  return `${bits.map(Number).join('')};${columns.join()};${ends.join(';')}`
}

export const VERSION = 1_000
export const FENCE = 100
export const APPROVAL_ID = 'approval'

function normalRow(row: Operation, shifted: (at: number) => number): Operation {
  const lease = row.lease_expires_at === null ? null : Math.max(shifted(row.lease_expires_at), NOW)
  const keyAge = NOW - (row.key_first_used_at === null ? NOW : shifted(row.key_first_used_at))
  const next = row.next_attempt_at === null ? null : shifted(row.next_attempt_at)
  return {
    ...row,
    version: VERSION,
    lease_fence: FENCE,
    lease_expires_at: lease,
    lease_boot_id: lease === null ? null : 'boot-1',
    lease_boot_ms: lease === null ? null : lease - BOOTED_AT,
    // nothing asks how long ago the key ran out, and only a key has an age that matters
    key_first_used_at:
      row.key_first_used_at === null
        ? null
        : NOW - (row.repeat?.kind === 'idempotency_key' ? Math.min(keyAge, RETENTION_TICKS * TICK) : 0),
    next_attempt_at: next !== null && next > NOW ? next : null,
    retry_reason: null,
    cancel_requested_at: row.cancel_requested_at === null ? null : NOW,
    flags: normalFlags(row),
    last_error: null,
    result: null,
    result_digest: null,
    settled_by: null,
    by_hand: null,
    created_at: NOW,
    updated_at: NOW,
    settled_at: row.settled_at === null ? null : NOW,
  }
}

function normalFlags({ flags, extra_attempts }: Operation): Flags {
  const { reopened, contradicted, denied, duplicate_allowed, duplicates } = flags
  return {
    ...(reopened ? { reopened } : {}),
    ...(contradicted ? { contradicted } : {}),
    ...(denied ? { denied } : {}),
    ...(duplicates ? { duplicates } : {}),
    ...(duplicate_allowed && extra_attempts > 0 ? { duplicate_allowed } : {}),
  }
}

function normalAttempt(attempt: Attempt, row: Operation, shifted: (at: number) => number): Attempt {
  // past its arrival and the settle window, all that counts is that it is past
  const settle = row.contract.settle_ms ?? 0
  const latest = Math.max(shifted(attempt.latest_arrival ?? NOW), NOW - settle - TICK)
  const sent = latest - ARRIVAL_BOUND - LEASE
  return {
    ...attempt,
    fence: attempt.fence === row.lease_fence ? FENCE : attempt.n,
    send_by: Math.max(shifted(attempt.send_by), NOW - TICK),
    latest_arrival: latest,
    sent_at: sent,
    sent_boot_ms: sent - BOOTED_AT,
    error: null,
    ended_at: attempt.ended_at === null ? null : NOW,
  }
}
