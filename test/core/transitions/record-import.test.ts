import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../../src/core/attempt.js'
import { asked, following, moved, NOON, theirAttempt } from '../builders.js'

const ERROR = { rule: 'other.failed', message: 'no answer', at: NOON, attempt: 1 }
const KEYED = { kind: 'idempotency_key', retention_ms: 86_400_000 } as const

describe('the first reading of what another system wrote down', () => {
  it('takes its intent, its attempts, its outcome and their own words', () => {
    const intent = { ...asked.imported().intent, repeat: KEYED }
    const first = { ...theirAttempt(1, 'ambiguous'), sent_at: NOON - 9 }
    const state = following([
      asked.imported({
        intent,
        attempts: [first, theirAttempt(2, 'applied')],
        result: { id: 'T-1' },
        result_digest: 'sha256:ab',
        last_error: ERROR,
        heartbeat_at: NOON - 2,
        progress: { done: 3 },
        created_at: NOON - 10,
        settled_at: NOON - 1,
        kept: { flags: { again: 'two' }, retry_reason: 'later' },
      }),
    ])
    expect(state.operation).toMatchObject({
      ...intent,
      status: 'confirmed',
      settled_by: 'imported',
      settled_at: NOON - 1,
      created_at: NOON - 10,
      heartbeat_at: NOON - 2,
      progress: { done: 3 },
      result: { id: 'T-1' },
      result_digest: 'sha256:ab',
      last_error: ERROR,
      attempt: 2,
      key_first_used_at: NOON - 9,
      key_retention_ms: 86_400_000,
      flags: { again: 'two' },
      retry_reason: 'later',
      lease_fence: 1,
      same_as: null,
    })
    expect(state.attempts.map(({ operation_id, n }) => [operation_id, n])).toEqual([
      ['ticket-1', 1],
      ['ticket-1', 2],
    ])
  })

  it('counts the first use of its key from the oldest attempt that is known', () => {
    const later = { ...theirAttempt(2, 'applied'), sent_at: NOON - 4 }
    const only = asked.imported({ attempts: [later] })
    expect(following([only]).operation.key_first_used_at).toBe(NOON - 4)
    const first = { ...theirAttempt(1, 'ambiguous'), sent_at: NOON - 8 }
    const both = asked.imported({ attempts: [later, first] })
    expect(following([both]).operation.key_first_used_at).toBe(NOON - 8)
    const none = asked.imported({ status: 'prepared', attempts: [] })
    expect(following([none]).operation).toMatchObject({
      key_first_used_at: null,
      attempt: 0,
      settled_at: null,
    })
  })

  it('marks a write that was made twice, and not a read', () => {
    const twice = { same_write: 'ticket-0' }
    expect(following([asked.imported()], twice).operation.same_as).toBe('ticket-0')
    const read = { ...asked.imported().intent, effect: 'read' as const }
    expect(following([asked.imported({ intent: read })], twice).operation.same_as).toBeNull()
  })

  it('is held by their executor while it is in flight', () => {
    const open = { ...theirAttempt(1, null), owner: 'worker-7' }
    const air = asked.imported({ status: 'in_flight', attempts: [open], lease_expires_at: NOON + 9 })
    expect(following([air]).operation).toMatchObject({ lease_owner: 'worker-7', lease_expires_at: NOON + 9 })
  })
})

describe('a later reading', () => {
  const air = () => following([asked.imported({ status: 'in_flight', attempts: [theirAttempt(1, null)] })])

  it('moves it on with the ends and attempts that are new', () => {
    const told = asked.imported({
      attempts: [{ ...theirAttempt(1, 'ambiguous'), error: ERROR }, theirAttempt(2, 'applied')],
      result: 'done',
      settled_at: NOON + 3,
    })
    const { operation, attempts } = moved(air(), told)
    expect(operation).toMatchObject({
      status: 'confirmed',
      settled_by: 'imported',
      settled_at: NOON + 3,
      result: 'done',
      attempt: 2,
    })
    expect(attempts).toMatchObject([
      { n: 1, end: 'ambiguous', error: ERROR },
      { n: 2, end: 'applied' },
    ])
  })

  it.each<[Attempt['end'], Attempt['end'], Attempt['end']]>([
    ['ambiguous', 'applied', 'applied'],
    ['ambiguous', 'absent', 'absent'],
    ['not_applied', 'absent', 'absent'],
    ['applied', 'absent', 'applied'],
    ['applied', 'not_applied', 'applied'],
    ['absent', 'ambiguous', 'absent'],
    ['ambiguous', null, 'ambiguous'],
  ])('replaces an end only where it says more: %s, then %s, is %s', (before, told, end) => {
    const lost = following([asked.imported({ status: 'unknown', attempts: [theirAttempt(1, before)] })])
    const again = moved(lost, asked.imported({ status: 'unknown', attempts: [theirAttempt(1, told)] }))
    expect(again.attempts).toMatchObject([{ n: 1, end }])
  })

  it('that finds it decided about here adds no attempt of theirs where it moves nothing', () => {
    const lost = following([asked.imported({ status: 'unknown', attempts: [theirAttempt(1, 'ambiguous')] })])
    const taken = { ...lost, operation: { ...lost.operation, lease_fence: 2 } }
    const told = asked.imported({
      status: 'unknown',
      attempts: [theirAttempt(1, 'applied'), theirAttempt(2, null)],
      last_error: ERROR,
    })
    const kept = moved(taken, told)
    expect(kept.attempts).toMatchObject([{ n: 1, end: 'ambiguous' }])
    expect(kept.operation).toMatchObject({ attempt: 1, last_error: null })
    expect(moved(lost, told).operation).toMatchObject({ attempt: 2, last_error: ERROR })
  })

  it('that confirms what was decided about here brings its attempts', () => {
    const lost = following([asked.imported({ status: 'unknown', attempts: [theirAttempt(1, 'ambiguous')] })])
    const taken = { ...lost, operation: { ...lost.operation, lease_fence: 2 } }
    const { operation, attempts } = moved(taken, asked.imported({ result: 'done' }))
    expect(operation).toMatchObject({ status: 'confirmed', result: 'done' })
    expect(attempts).toMatchObject([{ n: 1, end: 'applied' }])
  })

  it('of what is settled the same way keeps who settled it and when, and its result', () => {
    const done = following([asked.imported({ result: 'first', settled_at: NOON - 5 })])
    const again = moved(done, asked.imported({ result: 'second', settled_at: NOON, last_error: ERROR }))
    expect(again.operation).toMatchObject({ result: 'first', settled_at: NOON - 5, last_error: null })
  })

  it('tells when the key was used first, where that was not known', () => {
    const waits = following([asked.imported({ status: 'prepared', attempts: [] })])
    const sent = { ...theirAttempt(1, null), sent_at: NOON - 3 }
    const told = moved(waits, asked.imported({ status: 'in_flight', attempts: [sent] }))
    expect(told.operation).toMatchObject({ status: 'in_flight', attempt: 1, key_first_used_at: NOON - 3 })
    const known = moved(told, asked.imported({ attempts: [{ ...sent, sent_at: NOON, end: 'applied' }] }))
    expect(known.operation.key_first_used_at).toBe(NOON - 3)
  })
})
