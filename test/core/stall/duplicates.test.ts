import { describe, expect, it } from 'vitest'
import type { Operation, OperationStatus } from '../../../src/core/operation.js'
import { stallsOf } from '../../../src/core/stall/stalls.js'
import { NOON } from '../builders.js'
import { HOUR, prepared, SECOND, sent, subjectOf } from './subjects.js'

const row = (over: Partial<Operation> = {}) => ({ ...sent().operation, ...over })
const first = row({ operation_id: 'a', status: 'confirmed', settled_at: NOON, idempotency_key: 'k1' })
const second = row({
  operation_id: 'b',
  same_as: 'a',
  status: 'confirmed',
  settled_at: NOON + 33 * SECOND,
  idempotency_key: 'k2',
})
const found = (operation: Operation, twin: Operation) =>
  stallsOf(subjectOf({ operation, attempts: [] }, NOON + HOUR, { twin })).find(
    ({ rule }) => rule === 'duplicate_writes',
  )

describe('the same write twice', () => {
  it.each<[OperationStatus, boolean, boolean]>([
    ['confirmed', false, true],
    ['unknown', false, true],
    ['in_flight', false, true],
    ['prepared', true, true],
    ['abandoned', true, true],
    ['not_executed', false, false],
    ['cancelled', false, false],
    ['prepared', false, false],
  ])('counts where the first is %s (may have applied: %s): %s', (status, may_have_applied, counts) => {
    expect(found(second, { ...first, status, may_have_applied }) !== undefined).toBe(counts)
  })

  it.each<[OperationStatus, boolean, boolean]>([
    ['prepared', false, true],
    ['in_flight', false, true],
    ['unknown', false, true],
    ['confirmed', false, true],
    ['abandoned', true, true],
    ['not_executed', false, false],
    ['cancelled', false, false],
  ])('counts where the second is %s (may have applied: %s): %s', (status, may_have_applied, counts) => {
    expect(found({ ...second, status, may_have_applied }, first) !== undefined).toBe(counts)
  })

  it('is none where somebody said why it is wanted once more', () => {
    expect(found({ ...second, flags: { again: 'a second crate was ordered' } }, first)).toBeUndefined()
  })

  it.each<[string, Partial<Operation>, Partial<Operation>, string]>([
    ['another key', {}, {}, 'other key'],
    ['the same key in another scope', { idempotency_key: 'k1', key_scope: 'eu' }, {}, 'other key'],
    ['the same key', { idempotency_key: 'k1' }, {}, 'same key'],
  ])('says that it has %s', (_, over, ofFirst, said) => {
    const stall = found({ ...second, ...over }, { ...first, ...ofFirst })
    expect(stall?.reason.endsWith(`, ${said}`)).toBe(true)
    expect(stall?.facts).toMatchObject({ keys_differ: said === 'other key' })
  })

  it.each<[string, number | null, number | null, string]>([
    ['its own', 30_000, 60_000, 'the time-out is 30s'],
    ['that of the first', null, 60_000, 'the time-out is 1m'],
    ['none', null, null, 'no time-out is declared'],
  ])('names beside the gap the time-out: %s', (_, own, other, said) => {
    const stall = found({ ...second, timeout_ms: own }, { ...first, timeout_ms: other })
    expect(stall?.reason).toBe(`same tool and input as a, 33s apart (${said}), other key`)
    expect(stall?.facts).toMatchObject({ timeout_ms: own ?? other })
  })

  it.each<[string, Partial<Operation>, number]>([
    ['its effect, where that is known', {}, 33_000],
    ['its first send', { status: 'unknown', settled_at: null, key_first_used_at: NOON + 20_000 }, 20_000],
    [
      'its first send, where it is settled by no effect',
      { status: 'abandoned', may_have_applied: true, key_first_used_at: NOON + 20_000 },
      20_000,
    ],
    [
      'its being written down',
      { ...prepared().operation, operation_id: 'b', same_as: 'a', created_at: NOON + 5_000 },
      5_000,
    ],
  ])('measures the gap from %s', (_, over, gap_ms) => {
    expect(found({ ...second, ...over }, first)?.facts).toMatchObject({ gap_ms })
  })
})

describe('of what is settled', () => {
  it('only the duplicate is told: attempts that overlapped then and a record that expires are over', () => {
    const state = sent({ contract: { keeps_ms: 1 } })
    const [one] = state.attempts
    if (one === undefined) throw new Error('it was sent')
    const settled = { ...state.operation, same_as: 'a', status: 'confirmed', settled_at: NOON } as const
    const attempts = [one, { ...one, n: 2 }]
    const rules = stallsOf(subjectOf({ operation: settled, attempts }, NOON + HOUR, { twin: first }))
    expect(rules.map(({ rule }) => rule)).toEqual(['duplicate_writes'])
  })
})
