import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayHaveApplied } from '../../../src/core/attempt.js'
import { isSettled } from '../../../src/core/operation.js'
import { decide } from '../../../src/core/transitions/decide.js'
import type { NewEvent } from '../../../src/core/transitions/events.js'
import { evolve } from '../../../src/core/transitions/evolve.js'
import type { State } from '../../../src/core/transitions/requests.js'
import { aContext, anIntent, asked, following, moved, NOON, stampAt } from '../builders.js'
import { walks } from '../walk.js'
import { states } from './cases.js'

describe('the events of an operation', () => {
  it('replayed from their JSON give its row and its attempts, whatever happened', () => {
    fc.assert(
      fc.property(walks, ({ first, steps, end }) => {
        const kept: { at: number; event: NewEvent }[] = [{ at: NOON, event: first }]
        for (const { event, context } of steps) if (event !== null) kept.push({ at: context.now.at, event })
        const text = JSON.stringify(kept)
        let state: State | null = null
        for (const { at, event } of JSON.parse(text) as typeof kept)
          state = evolve(state, { operation_id: 'ticket-1', at, body: event.body, large: event.large })
        expect(state).toStrictEqual(end)
      }),
      { numRuns: 300 },
    )
  })

  it('are one a change: the version counts them, and a refusal writes nothing', () => {
    fc.assert(
      fc.property(walks, ({ steps, end }) => {
        for (const { before, event, after } of steps)
          expect(after.operation.version).toBe(before.operation.version + (event === null ? 0 : 1))
        expect(end.operation.version).toBe(1 + steps.filter(({ event }) => event !== null).length)
      }),
      { numRuns: 200 },
    )
  })

  it('never lower the fence, never change what the intent says, and announce attempts one by one', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before, event, after } of steps) {
          expect(after.operation.lease_fence).toBeGreaterThanOrEqual(before.operation.lease_fence)
          expect(after.operation).toMatchObject({
            operation_id: before.operation.operation_id,
            input_digest: before.operation.input_digest,
            idempotency_key: before.operation.idempotency_key,
            contract_digest: before.operation.contract_digest,
          })
          expect(after.attempts.length - before.attempts.length).toBe(event?.type === 'send' ? 1 : 0)
          expect(after.operation.attempt).toBe(after.attempts.length)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('leave a row that agrees with itself', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { after, context } of steps) {
          const { operation, attempts } = after
          const live = operation.status === 'in_flight' ? operation.attempt : null
          expect(operation.may_have_applied).toBe(mayHaveApplied(attempts, live))
          expect(operation.settled_at === null).toBe(!isSettled(operation.status))
          if (operation.status !== 'in_flight') {
            expect(operation.lease_owner).toBeNull()
            expect(operation.lease_expires_at).toBeNull()
          }
          expect(operation.updated_at).toBeLessThanOrEqual(context.now.at)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('the first event', () => {
  it('writes the whole intent and nothing else that was said', () => {
    const intent = anIntent({
      phase: 'cleanup',
      step: '3',
      amount: 20,
      deadline_at: NOON + 1,
      timeout_ms: 9,
      compensates: 'ticket-0',
      supersedes: 'ticket-00',
      checkpoint: { source: 'langgraph' },
      provenance: 'exec',
      links: ['https://run/1'],
      repeat: { kind: 'idempotency_key', retention_ms: 5 },
      contract: { settle_ms: 4 },
    })
    const { operation } = following([{ type: 'prepare', intent }])
    expect(operation).toMatchObject({ ...intent, status: 'prepared', version: 1, attempt: 0, lease_fence: 1 })
    expect(operation).toMatchObject({
      key_retention_ms: 5,
      created_at: NOON,
      updated_at: NOON,
      same_as: null,
    })
  })

  it('holds only what is said: absent values and empty lists are left out of the body', () => {
    const decided = decide(null, asked.prepare(), aContext())
    expect(decided.ok && Object.keys(decided.event.body.set ?? {}).sort()).toEqual(
      [
        'contract_digest',
        'effect',
        'idempotency_key',
        'input_digest',
        'key_scope',
        'lease_fence',
        'max_attempts',
        'provenance',
        'target',
        'task_id',
        'tool',
      ].sort(),
    )
    expect(decided.ok && Object.keys(decided.event.large)).toEqual(['input', 'repeat', 'contract'])
    expect(decided.ok && decided.event.body).toMatchObject({ from: null, to: 'prepared' })
  })

  it('marks an operation that repeats another one under another id', () => {
    const { operation } = moved(
      null,
      { ...asked.prepare(), again: 'two are wanted' },
      { same_write: 'ticket-0' },
    )
    expect(operation.same_as).toBe('ticket-0')
  })

  it('is a prepare: anything else asked of an unused id is refused', () => {
    const decided = decide(null, asked.send(), aContext())
    expect(decided).toMatchObject({ ok: false, refusal: { rule: 'is_prepared', code: 'refused' } })
  })
})

describe('a row', () => {
  it('keeps when it was settled first, and forgets it when it is open again', () => {
    const late = { now: stampAt(NOON + 9) }
    const confirmed = states.confirmed()
    expect(confirmed.operation.settled_at).toBe(NOON)
    const again = moved(confirmed, asked.late('applied'), late)
    expect(again.operation).toMatchObject({ settled_at: NOON, updated_at: NOON + 9 })
    expect(moved(again, asked.reopen(), late).operation.settled_at).toBeNull()
  })

  it('names the error and the moment an attempt ended with', () => {
    const [attempt] = moved(states.sent(), asked.late('not_applied', { error: anError }), {
      now: stampAt(NOON + 5),
    }).attempts
    expect(attempt).toMatchObject({ end: 'not_applied', ended_at: NOON + 5, error: anError })
    const [lost] = states.lost().attempts
    expect(lost).toMatchObject({ end: 'ambiguous', ended_at: NOON, error: { rule: 'thrown' } })
  })

  it('keeps the error of an attempt when a later event about it names none', () => {
    const [attempt] = moved(states.lost(), asked.late('applied')).attempts
    expect(attempt).toMatchObject({ end: 'applied', error: { rule: 'thrown' } })
  })
})

const anError = { rule: 'http_400', message: 'bad request', at: NOON, attempt: 1 }
