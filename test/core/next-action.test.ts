import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInDoubt } from '../../src/core/in-doubt.js'
import { type NextActionQuestion, nextAction } from '../../src/core/next-action.js'
import type { Operation } from '../../src/core/operation.js'
import { decide } from '../../src/core/transitions/decide.js'
import type { State } from '../../src/core/transitions/requests.js'
import { aContext, asked, aTask, following, moved, NOON, SEEN, stampAt } from './builders.js'
import { states } from './transitions/cases.js'
import { walks } from './walk.js'

const nobodyGone = () => false

function advise(state: State, over: Partial<NextActionQuestion> = {}, row: Partial<Operation> = {}) {
  return nextAction({
    operation: { ...state.operation, ...row },
    look: { now: stampAt(NOON), isOwnerGone: nobodyGone },
    task: aTask(),
    targetTouched: null,
    ...over,
  })
}

const at = (ms: number) => ({ look: { now: stampAt(NOON + ms), isOwnerGone: nobodyGone } })

describe('what to do next', () => {
  it('is nothing with what is settled', () => {
    expect(advise(states.confirmed())).toMatchObject({ next_action: 'none', category: null })
    expect(advise(states.refused())).toMatchObject({ next_action: 'none', category: 'refused' })
    expect(advise(states.cancelled())).toMatchObject({ next_action: 'none', category: 'cancelled' })
    expect(advise(states.abandoned())).toMatchObject({ next_action: 'none', category: null })
    expect(advise(states.refused()).reason).toBe('it is settled: not_executed')
  })

  it('is a person where a confirmed write left a mess, and its compensation where it was to be cancelled', () => {
    expect(advise(states.confirmed(), {}, { flags: { duplicates: true } }).next_action).toBe('ask_person')
    expect(advise(states.confirmed(), {}, { flags: { target_differs: 'repo B' } }).reason).toContain('repo B')
    const late = { cancel_requested_at: NOON }
    expect(advise(states.confirmed(), {}, late).next_action).toBe('none')
    const contract = { compensate: { tool: 'tickets.close' } }
    expect(advise(states.confirmed(), {}, { contract }).next_action).toBe('none')
    expect(advise(states.confirmed(), {}, { ...late, contract }).next_action).toBe('compensate')
  })

  it('is to wait for an executor until its lease ends', () => {
    expect(advise(states.sent())).toMatchObject({
      next_action: 'wait',
      not_before: NOON + 60_000,
      category: null,
      domain: 'external_operation',
      operation_id: 'ticket-1',
      attempts: 1,
    })
    const accepted = moved(states.sent(), asked.accept())
    expect(advise(accepted)).toMatchObject({ next_action: 'wait', category: 'accepted' })
    expect(advise(accepted).reason).toBe('the service works on it')
    expect(advise(states.sent()).reason).toBe('its executor holds the lease')
  })

  it('is a person for a writer without leases, until its process is provably gone', () => {
    const sent = moved(states.prepared(), asked.send({ lease_ms: null }))
    expect(advise(sent, at(1e12))).toMatchObject({ next_action: 'ask_person', category: null })
    expect(advise(sent, at(1e12)).reason).toContain('takes no leases')
    const gone = { look: { now: stampAt(NOON), isOwnerGone: () => true } }
    expect(advise(sent, gone)).toMatchObject({ category: 'outcome_unknown' })
  })

  it('is to resume what was prepared and never sent', () => {
    expect(advise(states.prepared())).toMatchObject({
      next_action: 'resume',
      safe_to_repeat: true,
      not_before: null,
      category: null,
    })
  })

  it('is to wait for handback, for the retry, or for a person who approves', () => {
    const held = { task: aTask({ taken_over_by: 'ben' }) }
    expect(advise(states.prepared(), held)).toMatchObject({ next_action: 'wait' })
    expect(advise(states.prepared(), held).reason).toContain('ben')
    expect(advise(states.waiting())).toMatchObject({
      next_action: 'wait',
      reason: 'the service asked to wait',
      not_before: NOON + 5_000,
    })
    expect(advise(states.waiting(), at(5_000)).next_action).toBe('resume')
    expect(advise(states.waiting(), {}, { retry_reason: null }).reason).toBe('a retry is scheduled')
    const required = { contract: { approval: 'required' } } as const
    expect(advise(states.prepared(), {}, required).next_action).toBe('ask_person')
    expect(advise(states.prepared(), {}, { ...required, approval_id: 'approval-1' }).next_action).toBe(
      'resume',
    )
  })

  it('is a person where it was written down before the ledger was copied, whatever else holds', () => {
    const copied = { isOfEarlier: true, task: aTask({ taken_over_by: 'ben' }) }
    expect(advise(states.waiting(), copied)).toMatchObject({
      next_action: 'ask_person',
      reason:
        'it was written down before this ledger was copied or restored, and may have been sent since: look, then cancel it, and allow it again where it is not there',
      not_before: null,
    })
  })

  it('is to resume where nobody read its task, and where the approval it needs is given', () => {
    expect(advise(states.prepared(), { task: null }).next_action).toBe('resume')
    const required = { contract: { approval: 'required' } } as const
    expect(advise(states.prepared(), { isApproved: true }, required).next_action).toBe('resume')
  })

  it('is a person once the deadline has passed', () => {
    expect(advise(states.prepared(), {}, { deadline_at: NOON + 1 }).next_action).toBe('resume')
    expect(advise(states.prepared(), {}, { deadline_at: NOON })).toMatchObject({
      next_action: 'ask_person',
      reason: 'its deadline has passed: is it still wanted?',
    })
  })

  it('is to resume what a person allowed although it may be a duplicate', () => {
    expect(advise(states.preparedInDoubt())).toMatchObject({
      next_action: 'resume',
      safe_to_repeat: false,
      category: 'outcome_unknown',
    })
    expect(advise(states.preparedInDoubt()).reason).toContain('duplicate')
    expect(advise(states.preparedInDoubt(), {}, { extra_attempts: 0 }).next_action).toBe('ask_person')
    expect(advise(states.preparedInDoubt(), {}, { flags: {} }).next_action).toBe('ask_person')
  })
})

describe('why', () => {
  const compensate = { compensate: { tool: 'tickets.close' } }
  const SITUATIONS: readonly [string, State, Partial<Operation>][] = [
    ['it is confirmed', states.confirmed(), {}],
    ['it was done more than once', states.confirmed(), { flags: { duplicates: true } }],
    ['it touched something else', states.confirmed(), { flags: { target_differs: 'repo B' } }],
    ['it was done after a cancel', states.confirmed(), { cancel_requested_at: NOON, contract: compensate }],
    ['it was refused', states.refused(), {}],
    ['it is under way', states.sent(), {}],
    ['it is deferred', states.lost(), { defer_until: NOON + 1 }],
    ['a repeat is safe', states.keyedLost(), {}],
    ['a probe can tell', states.lost(), { contract: { probe: { kind: 'http' } } }],
    ['only a person can tell', states.lost(), {}],
    ['it waits for an approval', states.prepared(), { contract: { approval: 'required' } }],
    ['it was never sent', states.prepared(), {}],
    ['a person allowed it', states.preparedInDoubt(), {}],
  ]

  it.each(SITUATIONS)('is said when %s, in words that are said of nothing else', (_what, state, row) => {
    const reasons = SITUATIONS.map(([, other, over]) => advise(other, {}, over).reason)
    const { reason } = advise(state, {}, row)
    expect(reason).toMatch(/\w+ \w+/)
    expect(reasons.filter(other => other === reason)).toHaveLength(1)
  })

  it('it is a person who looks at what touched another target', () => {
    expect(advise(states.confirmed(), {}, { flags: { target_differs: 'repo B' } }).next_action).toBe(
      'ask_person',
    )
  })
})

describe('what to do in doubt', () => {
  it('is to send the same again while that is safe, with the end of its safety', () => {
    expect(advise(states.keyedLost())).toMatchObject({
      next_action: 'resend_same_key',
      safe_to_repeat: true,
      safe_until: NOON + 24 * 3_600_000 - 15 * 60_000,
      category: 'outcome_unknown',
    })
  })

  it.each<[string, Partial<NextActionQuestion>, Partial<Operation>]>([
    ['it was taken over', { task: aTask({ taken_over_by: 'ben' }) }, {}],
    ['its task is suspended', { task: aTask({ status: 'suspended' }) }, {}],
    ['an id is on file', { hasExternalIds: true }, {}],
    ['a cancel is asked', {}, { cancel_requested_at: NOON }],
    ['it was reopened', {}, { flags: { reopened: true } }],
    ['it was contradicted', {}, { flags: { contradicted: true } }],
    ['its budget is spent', {}, { max_attempts: 1 }],
    ['its deadline has passed', {}, { deadline_at: NOON }],
  ])('is not that when %s', (_why, over, row) => {
    expect(advise(states.keyedLost(), over, row).next_action).toBe('ask_person')
  })

  it('is that with a granted attempt beyond the budget, without a task at hand, and not before the retry time', () => {
    const row = { max_attempts: 1, extra_attempts: 1, deadline_at: NOON + 1 }
    expect(advise(states.keyedLost(), { task: null }, row).next_action).toBe('resend_same_key')
    const waiting = { next_attempt_at: NOON + 7 }
    expect(advise(states.keyedLost(), {}, waiting)).toMatchObject({ not_before: NOON + 7 })
    expect(advise(states.keyedLost(), at(7), waiting)).toMatchObject({ not_before: null })
  })

  it('is to reconcile where the tool has a probe, not before its next useful look', () => {
    const contract = { probe: { kind: 'http' } }
    expect(advise(states.lost(), {}, { contract })).toMatchObject({
      next_action: 'reconcile',
      not_before: null,
    })
    const later = { contract, next_look_at: NOON + 9 }
    expect(advise(states.lost(), {}, later)).toMatchObject({ next_action: 'reconcile', not_before: NOON + 9 })
    expect(advise(states.lost(), at(9), later)).toMatchObject({ next_action: 'reconcile', not_before: null })
  })

  it('is a person where the service was asked and could not settle it, and nothing can be sent again', () => {
    const asked = { leftToPerson: 'ticket T-9 looks like it' }
    const contract = { probe: { kind: 'http' } }
    expect(advise(states.lost(), asked, { contract })).toMatchObject({
      next_action: 'ask_person',
      reason: 'the service was asked, and could not settle it: ticket T-9 looks like it',
    })
    expect(advise(states.keyedLost(), asked).next_action).toBe('resend_same_key')
  })

  it('names the command that asks', () => {
    expect(advise(states.lost(), {}, { contract: { probe: { kind: 'http' } } }).reason).toBe(
      'its tool has a probe that can answer whether it happened: agent-ledger reconcile ticket-1',
    )
  })

  it('is a person where nothing else can find out', () => {
    expect(advise(states.lost())).toMatchObject({ next_action: 'ask_person', safe_to_repeat: false })
  })

  it('is to wait while a person deferred it, to the millisecond', () => {
    const deferred = { defer_until: NOON + 9 }
    expect(advise(states.keyedLost(), {}, deferred)).toMatchObject({
      next_action: 'wait',
      not_before: NOON + 9,
    })
    expect(advise(states.keyedLost(), at(9), deferred).next_action).toBe('resend_same_key')
  })

  it('counts an executor gone as doubt at once', () => {
    expect(advise(states.sent(), at(60_000))).toMatchObject({
      next_action: 'ask_person',
      category: 'outcome_unknown',
    })
  })

  it('is never nothing, and what it calls safe to send again the table lets through', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { after, context } of steps) {
          const look = { now: context.now, isOwnerGone: nobodyGone }
          const hasExternalIds = context.known_external_ids.length > 0
          const advice = advise(after, { look, hasExternalIds })
          if (isInDoubt(after.operation, look)) expect(advice.next_action).not.toBe('none')
          if (advice.next_action === 'resend_same_key' && after.operation.status === 'unknown')
            expect(decide(after, asked.resend(), context)).toMatchObject({ ok: true })
          if (advice.next_action === 'resume' || advice.next_action === 'resend_same_key') {
            const sendable =
              after.operation.status === 'prepared' && (advice.not_before ?? 0) <= context.now.at
            if (sendable) expect(decide(after, asked.send(), context)).toMatchObject({ ok: true })
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the category', () => {
  it('of what was refused says whether the budget is spent', () => {
    expect(advise(states.refused(), {}, { max_attempts: 1 }).category).toBe('budget_exhausted')
    expect(advise(states.refused(), {}, { max_attempts: 2 }).category).toBe('refused')
  })

  it.each([
    ['not_allowed', 'auth'],
    ['invalid_request', 'invalid_input'],
    ['key_mismatch', 'conflict'],
    ['a rule of somebody else', 'refused'],
    ['thrown', 'refused'],
  ])('of what was refused by %s is %s, with the budget spent as well', (rule, category) => {
    const last_error = { rule, message: 'no', at: NOON, attempt: 1 }
    expect(advise(states.refused(), {}, { last_error }).category).toBe(category)
    expect(advise(states.refused(), {}, { last_error, max_attempts: 1 }).category).toBe(category)
    expect(advise(states.refused(), {}, { last_error, settled_by: 'person' }).category).toBe('refused')
  })

  it('of what is in doubt is to compare only where the last error says so', () => {
    const said = (rule: string) => ({ last_error: { rule, message: 'no', at: NOON, attempt: 1 } })
    expect(advise(states.lost(), {}, said('already_exists')).category).toBe('conflict')
    expect(advise(states.lost(), {}, said('not_allowed')).category).toBe('outcome_unknown')
    expect(advise(states.lost(), {}, said('server_error')).category).toBe('outcome_unknown')
  })

  it('of what waits for its next attempt is why the last one was refused', () => {
    const said = (rule: string) => ({ last_error: { rule, message: 'no', at: NOON, attempt: 1 } })
    expect(advise(states.waiting(), {}, said('rate_limited')).category).toBe('rate_limited')
    expect(advise(states.waiting(), {}, said('lease_lapsed')).category).toBeNull()
    expect(advise(states.waiting(), {}, said('server_error')).category).toBeNull()
    expect(advise(states.confirmed(), {}, said('rate_limited')).category).toBeNull()
    expect(advise(states.abandoned(), {}, said('rate_limited')).category).toBeNull()
  })

  it("is found by the row's own rules, where the rule is one of the service", () => {
    const own = { when: { status: 503 }, reason: 'it was down' } as const
    const last_error = { rule: 'service:503', message: 'no', at: NOON, attempt: 1 }
    const by = (end: 'not_applied' | 'ambiguous') =>
      advise(states.refused(), {}, { last_error, contract: { classify: [{ ...own, end }] } }).category
    expect(by('not_applied')).toBe('refused')
    expect(advise(states.waiting(), {}, { last_error, contract: {} }).category).toBeNull()
    const contract = { classify: [{ ...own, end: 'not_applied' as const }] }
    expect(advise(states.waiting(), {}, { last_error, contract }).category).toBe('refused')
  })

  it('of what was denied is cancelled, unless it is in doubt', () => {
    const denied = following([asked.deny()], {}, states.waiting())
    expect(advise(denied).category).toBe('cancelled')
    const doubt = following([asked.deny()], { evidence: [SEEN] }, states.lost())
    expect(advise(doubt).category).toBe('outcome_unknown')
  })
})

describe('the context of the tests', () => {
  it('lets an executor of the first epoch send', () => {
    expect(decide(states.prepared(), asked.send(), aContext()).ok).toBe(true)
  })
})
