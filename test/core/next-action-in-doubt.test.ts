import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInDoubt } from '../../src/core/in-doubt.js'
import type { NextActionQuestion } from '../../src/core/next-action.js'
import type { Operation } from '../../src/core/operation.js'
import { decide } from '../../src/core/transitions/decide.js'
import { advise, at, nobodyGone } from './advised.js'
import { asked, aTask, following, NOON, SEEN } from './builders.js'
import { states } from './transitions/cases.js'
import { walks } from './walk.js'

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
