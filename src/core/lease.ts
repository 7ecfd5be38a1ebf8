import type { Operation } from './operation.js'
import type { Stamp } from './time.js'

export const DEFAULT_LEASE_MS = 60_000

/** A lease is renewed when this part of it has passed. */
export const RENEW_AFTER_PART = 1 / 3

/** Columns that a lease writes, given how long it lasts from now. */
export function leaseUntil(now: Stamp, leaseMs: number) {
  return {
    lease_expires_at: now.at + leaseMs,
    lease_boot_id: now.boot_id === '' ? null : now.boot_id,
    lease_boot_ms: now.boot_id === '' ? null : now.boot_ms + leaseMs,
  }
}

export const NO_LEASE = {
  lease_owner: null,
  lease_expires_at: null,
  lease_boot_id: null,
  lease_boot_ms: null,
} as const

type LeaseColumns = Pick<Operation, 'lease_expires_at' | 'lease_boot_id' | 'lease_boot_ms'>

/**
 * Has the lease run out? On the boot that took it both clocks must say so, so that a wall clock set forward
 * declares nobody dead. An operation whose writer takes no leases is never called dead by age.
 */
export function isLeaseLapsed(lease: LeaseColumns, now: Stamp): boolean {
  if (lease.lease_expires_at === null || now.at < lease.lease_expires_at) return false
  const isSameBoot = lease.lease_boot_id !== null && lease.lease_boot_id === now.boot_id
  return !isSameBoot || lease.lease_boot_ms === null || now.boot_ms >= lease.lease_boot_ms
}
