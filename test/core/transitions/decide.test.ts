import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/core/transitions/decide.js'
import { unwritten } from '../../../src/core/transitions/evolve.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { aContext, asked, following, moved, NOON, refusalOf, TICKET, theirAttempt } from '../builders.js'
import { states } from './cases.js'

describe('an event', () => {
  it('holds the move, what its row in the table writes, and what the request adds', () => {
    expect(eventOf(states.sent(), asked.lose({ external_ids: [TICKET] }))).toEqual({
      type: 'lose',
      body: {
        from: 'in_flight',
        to: 'unknown',
        set: { last_error: { rule: 'thrown', message: 'socket hang up', at: NOON, attempt: 1 } },
        ends: [
          {
            n: 1,
            end: 'ambiguous',
            error: { rule: 'thrown', message: 'socket hang up', at: NOON, attempt: 1 },
          },
        ],
        external_ids: [TICKET],
      },
      large: {},
    })
  })

  it('leaves out what there is nothing of', () => {
    const keys = (state: State, request: Request, context: Partial<Context> = {}) =>
      Object.keys(eventOf(state, request, context).body).sort()
    expect(keys(states.sent(), asked.accept({ remote: null }))).toEqual(['facts', 'from', 'set', 'to'])
    expect(keys(states.prepared(), asked.cancel())).toEqual(['from', 'reason', 'set', 'to'])
    expect(keys(states.prepared(), asked.send())).toEqual(['attempt', 'facts', 'from', 'set', 'to'])
    expect(keys(states.keyedLost(), asked.resend())).toEqual(['from', 'set', 'to'])
  })

  it('carries the place that a retry takes in the quota of its destination', () => {
    const quota = { destination: 'tickets.example', used_until: NOON + 9 }
    expect(eventOf(states.sent(), { ...asked.scheduleRetry(), quota }).body.quota).toEqual(quota)
    expect(eventOf(states.sent(), asked.scheduleRetry()).body).not.toHaveProperty('quota')
  })

  it('ends the live attempt without an error where the request knows none', () => {
    const gone = { owner_gone: true }
    expect(eventOf(states.sent(), asked.orphan({ why: 'owner_gone' }), gone).body.ends).toEqual([
      { n: 1, end: 'ambiguous' },
    ])
  })

  it('ends no attempt where none is live', () => {
    expect(eventOf(states.lost(), asked.match()).body).not.toHaveProperty('ends')
    const ended = withEnd(states.sent(), 1)
    expect(eventOf(ended, asked.match()).body).not.toHaveProperty('ends')
    expect(eventOf(states.sentAgain(), asked.match()).body.ends).toEqual([{ n: 2, end: 'ambiguous' }])
  })

  it('tells each end once: that of the record of another system, that of the live attempt', () => {
    const air = following([
      asked.imported({
        status: 'in_flight',
        attempts: [theirAttempt(1, 'ambiguous'), theirAttempt(2, null)],
      }),
    ])
    const told = asked.imported({ attempts: [theirAttempt(1, 'ambiguous'), theirAttempt(2, 'applied')] })
    expect(eventOf(air, told).body.ends).toEqual([{ n: 2, end: 'applied' }])
    const more = asked.imported({ attempts: [theirAttempt(1, 'applied'), theirAttempt(2, null)] })
    expect(eventOf(air, more).body.ends).toEqual([
      { n: 2, end: 'ambiguous' },
      { n: 1, end: 'applied' },
    ])
    const added = asked.imported({ attempts: [theirAttempt(3, 'applied')] })
    expect(eventOf(air, added).body).toMatchObject({
      ends: [{ n: 2, end: 'ambiguous' }],
      attempts: [{ n: 3 }],
    })
  })
})

describe('the first event', () => {
  it('is refused in words, for whatever comes before it', () => {
    expect(refusalOf(null, asked.lose())).toEqual({
      rule: 'is_prepared',
      code: 'refused',
      reason: 'there is no such operation',
      satisfy: 'prepare it first',
    })
    expect(refusalOf(states.prepared(), asked.prepare())).toEqual({
      rule: 'id_unused',
      code: 'conflict',
      reason: 'the operation id is taken',
      satisfy: 'attach to it',
    })
  })

  it('passes the guards of its row', () => {
    expect(refusalOf(null, asked.prepare(), { same_write: 'ticket-0' }).rule).toBe('same_write_once')
    expect(refusalOf(null, asked.imported(), { evidence: [] }).rule).toBe('evidence_given')
  })

  it('takes over what another system wrote down, as it stands there', () => {
    const { operation, attempts } = following([
      asked.imported({ status: 'unknown', attempts: [theirAttempt(1, 'ambiguous')] }),
    ])
    expect(operation).toMatchObject({ status: 'unknown', may_have_applied: true, version: 1 })
    expect(attempts).toMatchObject([{ operation_id: 'ticket-1', n: 1, end: 'ambiguous' }])
  })

  it('fills every column that it does not name', () => {
    expect(unwritten('ticket-1', NOON)).toMatchObject({
      task_id: '',
      tool: '',
      input_digest: '',
      idempotency_key: '',
      key_scope: '',
      contract_digest: '',
      contract: {},
      provenance: 'library',
      links: [],
      status: 'prepared',
      may_have_applied: false,
      max_attempts: 1,
      attempt: 0,
      lease_fence: 0,
      version: 0,
      created_at: NOON,
    })
  })
})

describe('a grant and an approval', () => {
  const granted = { ...states.sent().operation, extra_attempts: 1, approval_id: 'a-1' }

  it('are spent by the end of the newest attempt, whatever else the event tells', () => {
    const state = { ...states.sent(), operation: granted }
    expect(moved(state, asked.lose()).operation).toMatchObject({ extra_attempts: 0, approval_id: null })
    expect(moved(state, asked.confirm()).operation).toMatchObject({ extra_attempts: 0, approval_id: 'a-1' })
    expect(moved(state, asked.reject()).operation).toMatchObject({ extra_attempts: 1, approval_id: 'a-1' })
    const twice = {
      ...states.sentAgain(),
      operation: { ...states.sentAgain().operation, approval_id: 'a-1' },
    }
    const late = moved(twice, asked.late('applied'))
    expect(late.operation).toMatchObject({ extra_attempts: 0, approval_id: null })
  })
})

describe('a move that the table does not know', () => {
  it('is refused in words, with the doubt that is left', () => {
    expect(refusalOf(states.confirmed(), asked.lose())).toEqual({
      rule: 'no_such_move',
      code: 'refused',
      reason: 'ticket-1 is confirmed: lose does not apply',
      satisfy: 'it applies to an operation that is in_flight',
    })
    expect(refusalOf(states.lost(), asked.rerun())).toMatchObject({
      reason: 'ticket-1 is unknown: rerun does not apply',
      satisfy: 'it applies to an operation that is not_executed; an attempt is still in doubt',
    })
    expect(refusalOf(states.confirmed(), asked.allowRetry()).satisfy).toBe(
      'it applies to an operation that is unknown, not_executed, cancelled',
    )
  })

  it('is told first to whoever looked at another version', () => {
    const late = asked.allowRetry({ expected_version: 1 })
    expect(refusalOf(states.confirmed(), late)).toMatchObject({ rule: 'version_as_seen', code: 'conflict' })
  })
})

function eventOf(state: State, request: Request, context: Partial<Context> = {}) {
  const decided = decide(state, request, aContext(context))
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.event
}

function withEnd(state: State, n: number): State {
  const attempts = state.attempts.map(attempt =>
    attempt.n === n ? { ...attempt, end: 'ambiguous' as const } : attempt,
  )
  return { ...state, attempts }
}
