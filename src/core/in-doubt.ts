import { isLeaseLapsed } from './lease.js'
import type { Operation, OperationStatus } from './operation.js'
import type { Stamp } from './time.js'

/** Who looks, and what they can tell about the processes on this machine. */
export interface Look {
  readonly now: Stamp
  /** true only where the owner is provably gone: same host and boot, no such process with that start time */
  readonly isOwnerGone: (owner: string) => boolean
}

type DoubtColumns = Pick<
  Operation,
  'status' | 'may_have_applied' | 'lease_owner' | 'lease_expires_at' | 'lease_boot_id' | 'lease_boot_ms'
>

/** Can nobody alive tell whether it took effect? */
export function isInDoubt(operation: DoubtColumns, look: Look): boolean {
  switch (operation.status) {
    case 'unknown':
      return true
    case 'in_flight':
      return isOrphaned(operation, look)
    case 'prepared':
      return operation.may_have_applied
    case 'confirmed':
    case 'not_executed':
    case 'cancelled':
    case 'abandoned':
      return false
  }
}

/** An operation in flight whose executor is gone, for the `orphan` event to record. */
export function isOrphaned(operation: DoubtColumns, { now, isOwnerGone }: Look): boolean {
  if (operation.status !== 'in_flight') return false
  return (
    isLeaseLapsed(operation, now) || (operation.lease_owner !== null && isOwnerGone(operation.lease_owner))
  )
}

/** Statuses among which an operation in doubt can be; the others need no look. */
export const POSSIBLY_IN_DOUBT: readonly OperationStatus[] = ['unknown', 'in_flight', 'prepared']
