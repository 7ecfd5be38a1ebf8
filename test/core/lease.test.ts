import { describe, expect, it } from 'vitest'
import { isInDoubt, isOrphaned, POSSIBLY_IN_DOUBT } from '../../src/core/in-doubt.js'
import { isLeaseLapsed, leaseUntil, NO_LEASE } from '../../src/core/lease.js'
import { OPERATION_STATUSES } from '../../src/core/operation.js'
import { following, NOON, stampAt } from './builders.js'
import { states } from './transitions/cases.js'

const LEASE_MS = 60_000
const taken = leaseUntil(stampAt(NOON), LEASE_MS)
const nobodyGone = { now: stampAt(NOON), isOwnerGone: () => false }

describe('a lease', () => {
  it('lapses at its end, one millisecond before not', () => {
    expect(isLeaseLapsed(taken, stampAt(NOON + LEASE_MS - 1))).toBe(false)
    expect(isLeaseLapsed(taken, stampAt(NOON + LEASE_MS))).toBe(true)
  })

  it('lapses on the boot that took it only when both clocks say so', () => {
    const end = stampAt(NOON + LEASE_MS)
    expect(isLeaseLapsed(taken, { ...end, boot_ms: end.boot_ms - 1 })).toBe(false)
    expect(isLeaseLapsed(taken, { ...end, at: end.at - 1 })).toBe(false)
  })

  it('lapses over another boot by wall time alone', () => {
    const end = { at: NOON + LEASE_MS, boot_id: 'boot-2', boot_ms: 0 }
    expect(isLeaseLapsed(taken, end)).toBe(true)
    expect(isLeaseLapsed(taken, { ...end, at: end.at - 1 })).toBe(false)
  })

  it('keeps no boot clock where the machine names no boot', () => {
    const nameless = leaseUntil({ at: NOON, boot_id: '', boot_ms: 7 }, LEASE_MS)
    expect(nameless).toEqual({ lease_expires_at: NOON + LEASE_MS, lease_boot_id: null, lease_boot_ms: null })
    expect(isLeaseLapsed(nameless, { at: NOON + LEASE_MS, boot_id: '', boot_ms: 0 })).toBe(true)
  })

  it('that was never taken never lapses', () => {
    expect(isLeaseLapsed(NO_LEASE, stampAt(NOON + 1e12))).toBe(false)
  })
})

describe('in doubt', () => {
  it('is what is unknown, and what waits although an attempt may have applied', () => {
    expect(isInDoubt(states.lost().operation, nobodyGone)).toBe(true)
    expect(isInDoubt(states.preparedInDoubt().operation, nobodyGone)).toBe(true)
    expect(isInDoubt(states.prepared().operation, nobodyGone)).toBe(false)
  })

  it('is what is in flight only once its lease has lapsed or its owner is provably gone', () => {
    const { operation } = states.sent()
    expect(isInDoubt(operation, nobodyGone)).toBe(false)
    expect(isInDoubt(operation, { ...nobodyGone, now: stampAt(NOON + LEASE_MS) })).toBe(true)
    const gone = (owner: string) => owner === operation.lease_owner
    expect(isInDoubt(operation, { ...nobodyGone, isOwnerGone: gone })).toBe(true)
    expect(isInDoubt({ ...operation, lease_owner: null }, { ...nobodyGone, isOwnerGone: () => true })).toBe(
      false,
    )
  })

  it('is nothing that is settled, whatever its attempts', () => {
    for (const state of [states.confirmed(), states.refused(), states.cancelled(), states.abandoned()])
      expect(isInDoubt(state.operation, { now: stampAt(NOON + 1e12), isOwnerGone: () => true })).toBe(false)
  })

  it('is an orphan only in flight', () => {
    const lapsed = { now: stampAt(NOON + 1e12), isOwnerGone: () => true }
    expect(isOrphaned(states.sent().operation, lapsed)).toBe(true)
    expect(isOrphaned({ ...states.sent().operation, status: 'unknown' }, lapsed)).toBe(false)
  })

  it('can be no status outside the list of those possibly in doubt', () => {
    const always = { now: stampAt(NOON + 1e12), isOwnerGone: () => true }
    const { operation } = following([], {}, states.sent())
    const possible = OPERATION_STATUSES.filter(status =>
      isInDoubt({ ...operation, status, may_have_applied: true }, always),
    )
    expect([...POSSIBLY_IN_DOUBT].sort()).toEqual([...possible].sort())
  })
})
