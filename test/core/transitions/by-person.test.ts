import { describe, expect, it } from 'vitest'
import { type Decision, planDecision, previewDecision } from '../../../src/core/transitions/by-person.js'
import type { Context, State } from '../../../src/core/transitions/requests.js'
import { aContext, NOON, SEEN, stampAt, TICKET } from '../builders.js'
import { states } from './cases.js'

const SAID = { operation_id: 'ticket-1', reason: 'looked it up', expected_version: null }
const RESULT = { external_ids: [TICKET], result: { id: 'T-1' }, result_digest: null }
const CONFIRMED: Decision = {
  ...SAID,
  ...RESULT,
  type: 'resolve_confirmed',
  evidence: [SEEN],
  other_target: false,
  without_evidence: false,
}
const NOT_EXECUTED: Decision = {
  ...SAID,
  type: 'resolve_not_executed',
  evidence: [SEEN],
  early: true,
  without_evidence: false,
}
const ALLOWED: Decision = { ...SAID, type: 'allow_retry', accept_duplicate: 'two are better' }
const plain = (type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge'): Decision => ({
  ...SAID,
  type,
})

describe('a decision', () => {
  it.each<[Decision, object]>([
    [CONFIRMED, { type: 'resolve_confirmed', ...RESULT, other_target: false, without_evidence: false }],
    [NOT_EXECUTED, { type: 'resolve_not_executed', early: true, without_evidence: false }],
    [ALLOWED, { type: 'allow_retry', accept_duplicate: 'two are better' }],
    [plain('abandon'), { type: 'abandon' }],
    [plain('cancel'), { type: 'cancel' }],
    [plain('deny'), { type: 'deny' }],
    [plain('acknowledge'), { type: 'acknowledge' }],
  ])('is the request of its kind, with its evidence (%#)', (decision, request) => {
    const evidence = 'evidence' in decision ? [SEEN] : []
    expect(planned(states.lost(), { ...decision, expected_version: 3 })).toEqual([
      { request: { reason: 'looked it up', expected_version: 3, ...request }, evidence },
    ])
  })

  it('of a reopening names a version too, a withdrawal none', () => {
    const [reopened] = planned(states.confirmed(), { ...plain('reopen'), expected_version: 3 })
    expect(reopened?.request).toEqual({ type: 'reopen', reason: 'looked it up', expected_version: 3 })
    const [withdrawn] = planned(states.preparedInDoubt(), { ...plain('withdraw'), expected_version: 4 })
    expect(withdrawn?.request).toEqual({ type: 'withdraw', reason: 'looked it up' })
  })

  it('by somebody who looked at another version is told so first', () => {
    expect(refusalOf(states.lost(), { ...CONFIRMED, expected_version: 2 })).toMatchObject({
      rule: 'version_as_seen',
      code: 'conflict',
    })
    expect(refusalOf(states.confirmed(), { ...CONFIRMED, expected_version: 2 }).rule).toBe('version_as_seen')
  })
})

describe('a decision about what is in flight', () => {
  it.each([CONFIRMED, NOT_EXECUTED, ALLOWED, plain('abandon')])(
    'says first that its executor is gone, by the same person ($type)',
    decision => {
      const steps = planned(states.sent(), { ...decision, expected_version: 2 })
      expect(steps).toMatchObject([
        { request: { type: 'orphan', why: 'person', reason: 'looked it up' } },
        { request: { type: decision.type, expected_version: 3 } },
      ])
      expect(planned(states.sent(), decision)[1]?.request).toMatchObject({ expected_version: null })
    },
  )

  it('says what it rests on where that is on record', () => {
    const orphan = (over: Partial<Context>) => planned(states.sent(), CONFIRMED, over)[0]?.request
    expect(orphan({ owner_gone: true })).toEqual({ type: 'orphan', why: 'owner_gone', reason: null })
    const later = { now: stampAt(NOON + 60_000), owner_gone: true }
    expect(orphan(later)).toEqual({ type: 'orphan', why: 'lease_lapsed', reason: null })
  })

  it.each([plain('cancel'), plain('deny')])('leaves the attempt to its executor ($type)', decision => {
    expect(planned(states.sent(), decision).map(({ request }) => request.type)).toEqual([decision.type])
  })

  it('orphans nothing that is not in flight', () => {
    expect(planned(states.lost(), CONFIRMED)).toHaveLength(1)
  })
})

describe('a second decision', () => {
  const settled = 'see who decided it and why; if it is wrong, reopen it first'

  it.each([NOT_EXECUTED, plain('abandon'), plain('cancel'), plain('deny'), plain('withdraw'), CONFIRMED])(
    'about what is settled is a conflict, not a broken rule ($type)',
    decision => {
      expect(refusalOf(states.confirmed(), decision)).toEqual({
        rule: 'not_settled_yet',
        code: 'conflict',
        reason: 'ticket-1 is settled already: confirmed',
        satisfy: settled,
      })
    },
  )

  it('may confirm what was called not executed, and reopen or acknowledge anything', () => {
    expect(planned(states.refused(), CONFIRMED)).toHaveLength(1)
    expect(planned(states.confirmed(), plain('reopen'))).toHaveLength(1)
    expect(planned(states.confirmed(), plain('acknowledge'))).toHaveLength(1)
    expect(planned(states.refused(), ALLOWED)).toHaveLength(1)
  })

  it('about what is cancelled names the way back', () => {
    expect(refusalOf(states.cancelled(), plain('abandon')).satisfy).toBe(
      'it stays cancelled; `allow-retry` takes the cancel back, and another intent is another operation',
    )
    const denied = withRow(states.cancelled(), { flags: { denied: true } })
    expect(refusalOf(denied, plain('abandon')).satisfy).toBe(settled)
  })

  it('that asks for a cancel once more is told what to do instead', () => {
    const asking = withRow(states.lost(), { cancel_requested_at: NOON })
    expect(refusalOf(asking, plain('cancel'))).toEqual({
      rule: 'cancel_not_asked_yet',
      code: 'conflict',
      reason: 'a cancel of ticket-1 was asked already',
      satisfy: 'no further attempt will be sent; find out what became of what was sent, then `resolve` it',
    })
    expect(planned(asking, plain('deny'))).toHaveLength(1)
    expect(planned(asking, plain('abandon'))).toHaveLength(1)
  })

  it.each([plain('deny'), plain('cancel')])('after a denial changes nothing ($type)', decision => {
    const denied = withRow(states.lost(), { flags: { denied: true }, cancel_requested_at: NOON })
    expect(refusalOf(denied, decision)).toEqual({
      rule: 'not_denied_yet',
      code: 'conflict',
      reason: 'ticket-1 was denied already',
      satisfy: 'a denial is final: no further attempt will be sent',
    })
    expect(planned(denied, plain('abandon'))).toHaveLength(1)
  })
})

describe('what a decision would do', () => {
  const GONE = { owner_gone: true }

  it('is the state after all its steps, with the rows of the table it takes', () => {
    const { after, moves, refusal } = previewDecision(states.sent(), CONFIRMED, aContext(GONE))
    expect([refusal, moves.map(({ event, to }) => [event, to])]).toEqual([
      null,
      [
        ['orphan', 'unknown'],
        ['resolve_confirmed', 'confirmed'],
      ],
    ])
    expect(after.operation).toMatchObject({ status: 'confirmed', version: 4, updated_at: NOON })
  })

  it('is nothing where it is refused, at whatever step', () => {
    const state = states.sent()
    const bare: Decision = { ...CONFIRMED, evidence: [] }
    const refused = previewDecision(state, bare, aContext(GONE))
    expect(refused).toMatchObject({ after: state, moves: [], refusal: { rule: 'evidence_given' } })
    expect(previewDecision(state, CONFIRMED, aContext()).refusal?.rule).toBe('executor_gone')
    const second = previewDecision(states.confirmed(), plain('abandon'), aContext())
    expect(second).toMatchObject({ moves: [], refusal: { rule: 'not_settled_yet' } })
  })
})

function withRow(state: State, over: Partial<State['operation']>): State {
  return { ...state, operation: { ...state.operation, ...over } }
}

function planned(state: State, decision: Decision, context: Partial<Context> = {}) {
  const plan = planDecision(state, decision, aContext(context))
  if (!plan.ok) throw new Error(plan.refusal.reason)
  return plan.steps
}

function refusalOf(state: State, decision: Decision) {
  const plan = planDecision(state, decision, aContext())
  if (plan.ok) throw new Error(`${decision.type} was planned`)
  return plan.refusal
}
