import { describe, expect, it } from 'vitest'
import { digestOf } from '../../src/core/digest.js'
import type { Operation } from '../../src/core/operation.js'
import {
  type Answered,
  answeredBy,
  isResultKept,
  nextActionOf,
  outcomeOf,
  recoveryRecord,
} from '../../src/core/run-outcome.js'
import type { Refusal, State } from '../../src/core/transitions/requests.js'
import { aContext, aTask, NOON, stampAt, TICKET } from './builders.js'
import { states } from './transitions/cases.js'

const REFUSED: Refusal = {
  rule: 'budget_left',
  code: 'refused',
  reason: 'all 3 attempts are used',
  satisfy: 'a person may grant one more',
}

describe('the answer from the record', () => {
  it('of a confirmed operation is its result, its ids, and what it rests on', () => {
    expect(of(states.confirmed(), { external_ids: [TICKET] })).toEqual({
      status: 'confirmed',
      result: { id: 'T-1' },
      external_ids: [TICKET],
      by: 'receipt',
      replayed: true,
    })
    expect(of(withRow(states.confirmed(), { settled_by: 'probe' }))).toMatchObject({ by: 'probe' })
    expect(of(withRow(states.confirmed(), { settled_by: null }))).toMatchObject({ by: 'receipt' })
  })

  it('has no result where none is kept', () => {
    expect(of(withRow(states.confirmed(), { result: null }))).not.toHaveProperty('result')
    expect(isResultKept({ result: null, result_digest: digestOf({ large: true }) })).toBe(false)
    expect(isResultKept({ result: null, result_digest: digestOf(null) })).toBe(true)
    expect(isResultKept({ result: 0, result_digest: null })).toBe(true)
  })

  it('of what is in flight names who holds it and until when', () => {
    expect(of(states.sent())).toMatchObject({
      status: 'in_progress',
      owner: 'host/boot-1/42',
      until: NOON + 60_000,
      here: false,
      next_action: { next_action: 'wait' },
    })
    expect(of(withRow(states.sent(), { lease_owner: null }))).toMatchObject({ owner: '' })
  })

  it.each([
    ['unknown', states.lost()],
    ['cancelled', states.cancelled()],
    ['abandoned', states.abandoned()],
  ] as const)('of what is %s is that, with what to do', (status, state) => {
    expect(of(state)).toEqual({
      status,
      next_action: nextActionOf({ operation: state.operation, context: CONTEXT }),
    })
  })
})

describe('why it was not executed', () => {
  const why = (over: Partial<Operation>, refusal: Refusal | null = null) => {
    const outcome = of(withRow(states.refused(), over), { refusal })
    return outcome.status === 'not_executed' ? outcome.reason : outcome.status
  }

  it('is what its last attempt said, or who or what settled it', () => {
    expect(why({})).toBe('ECONNREFUSED')
    expect(why({ last_error: null })).toBe('no attempt of it took effect')
    expect(why({ settled_by: 'probe' })).toBe('a probe found that it did not take effect and cannot any more')
    expect(why({ settled_by: 'person', by_hand: { by: 'ana', at: NOON } })).toBe('ana settled it by hand')
    expect(why({ settled_by: 'person' })).toBe('ECONNREFUSED')
    expect(why({ by_hand: { by: 'ana', at: NOON } })).toBe('ECONNREFUSED')
  })

  it('says why it is not sent again, where that was asked', () => {
    expect(why({}, REFUSED)).toBe('ECONNREFUSED; not sent again: all 3 attempts are used')
  })
})

describe('what waits', () => {
  const prepared = (over: Partial<Operation> = {}) => withRow(states.prepared(), over)

  it('for a retry says until when, and why', () => {
    const scheduled = { next_attempt_at: NOON + 5, retry_reason: 'attempt 2 of 3' }
    expect(of(prepared(scheduled))).toMatchObject({
      status: 'waiting',
      for: 'retry',
      until: NOON + 5,
      reason: 'attempt 2 of 3',
    })
    expect(of(prepared({ next_attempt_at: NOON + 5 }))).toMatchObject({ reason: 'a retry is due' })
    const early = { ...REFUSED, rule: 'retry_time_reached' }
    expect(of(prepared(scheduled), { refusal: early })).toMatchObject({
      for: 'retry',
      until: NOON + 5,
      reason: 'all 3 attempts are used; a person may grant one more',
    })
    expect(of(prepared(), { refusal: early })).not.toHaveProperty('until')
  })

  it('for an approval or for a person says which rule holds it, and a retry time does not change that', () => {
    const unapproved = { ...REFUSED, rule: 'approval_matches' }
    expect(of(prepared(), { refusal: unapproved })).toMatchObject({ status: 'waiting', for: 'approval' })
    expect(of(prepared({ next_attempt_at: NOON }), { refusal: REFUSED })).toMatchObject({
      for: 'person',
      reason: 'all 3 attempts are used; a person may grant one more',
    })
  })

  it('for nothing that was told was not sent', () => {
    expect(of(prepared())).toMatchObject({ for: 'person', reason: 'it was not sent' })
  })

  it('is no longer free to go on once a rule holds it back', () => {
    expect(of(prepared())).toMatchObject({ next_action: { next_action: 'resume' } })
    expect(of(prepared(), { refusal: REFUSED })).toMatchObject({
      next_action: { next_action: 'ask_person', reason: 'all 3 attempts are used' },
    })
    const doubted = of(states.preparedInDoubt(), { refusal: REFUSED })
    const advised = nextActionOf({ operation: states.preparedInDoubt().operation, context: CONTEXT })
    if (advised.next_action !== 'resume') expect(doubted).toMatchObject({ next_action: advised })
  })
})

describe('an answer of another operation', () => {
  it('names it where it is confirmed, and is left as it is otherwise', () => {
    expect(answeredBy(of(states.confirmed()), 'ticket-0')).toMatchObject({ answered_by: 'ticket-0' })
    expect(answeredBy(of(states.lost()), 'ticket-0')).toEqual(of(states.lost()))
  })
})

describe('a recovery record', () => {
  it('is what the next action says, without what only a person needs', () => {
    const record = recoveryRecord(of(states.lost()))
    expect(Object.keys(record ?? {}).sort()).toEqual(
      ['domain', 'category', 'operation_id', 'attempts', 'safe_to_repeat', 'next_action', 'reason'].sort(),
    )
    expect(record).toMatchObject({ operation_id: 'ticket-1', attempts: 1, safe_to_repeat: false })
    expect(recoveryRecord(of(states.confirmed()))).toBeNull()
  })
})

it('the executor that is gone, and the task, are looked at', () => {
  const look = (over: Partial<Answered['context']>) =>
    nextActionOf({ operation: states.sent().operation, context: { ...CONTEXT, ...over } }).next_action
  expect(look({})).toBe('wait')
  expect(look({ owner_gone: true })).not.toBe('wait')
  expect(look({ now: stampAt(NOON + 60_000) })).not.toBe('wait')
})

const { now, owner_gone, task, target_touched } = aContext({ task: aTask() })
const CONTEXT: Answered['context'] = { now, owner_gone, task, target_touched }

function of({ operation }: State, over: Partial<Answered> = {}) {
  return outcomeOf({ operation, refusal: null, external_ids: [], context: CONTEXT, ...over })
}

function withRow(state: State, over: Partial<Operation>): State {
  return { ...state, operation: { ...state.operation, ...over } }
}
