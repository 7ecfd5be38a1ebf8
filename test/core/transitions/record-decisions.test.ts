import { describe, expect, it } from 'vitest'
import { asked, following, moved, NOON, stampAt } from '../builders.js'
import { states } from './cases.js'
import { bodyOf, MINUTE, seen } from './record-body.js'

describe('a person who says early that it was not executed', () => {
  const late = { ...seen, now: stampAt(NOON + 16 * MINUTE + 1) }
  const early = asked.resolveNotExecuted({ early: true })

  it('leaves open the attempts that can still arrive', () => {
    const { operation, attempts } = moved(states.lost(), early, seen)
    expect(operation).toMatchObject({ flags: { early: true }, may_have_applied: true, settled_by: 'person' })
    expect(attempts[0]?.end).toBe('ambiguous')
  })

  it('is not early once nothing can arrive any more, whatever they called it', () => {
    const { operation, attempts } = moved(states.lost(), early, late)
    expect(operation).toMatchObject({ flags: {}, may_have_applied: false })
    expect(attempts[0]?.end).toBe('absent')
  })

  it('closes those attempts whose time is over', () => {
    const now = stampAt(NOON + 2 * MINUTE)
    const again = following(
      [asked.send(), asked.lose({ attempt: 2, fence: 4 })],
      { now },
      states.preparedInDoubt(),
    )
    const { attempts } = moved(again, early, late)
    expect(attempts.map(({ end }) => end)).toEqual(['absent', 'ambiguous'])
  })
})

describe('a granted attempt', () => {
  const accepting = asked.allowRetry({ accept_duplicate: 'it may be there twice', reason: 'harmless' })

  it('goes one beyond the budget, with the risk accepted on the record', () => {
    const { operation } = moved(states.lost(), accepting)
    expect(operation).toMatchObject({
      extra_attempts: 1,
      flags: { accepted_duplicate: 'it may be there twice', duplicate_allowed: true },
    })
    expect(bodyOf(states.lost(), accepting).facts).toEqual({ accept_duplicate: 'it may be there twice' })
  })

  it('is spent by the first attempt that does not end not_applied', () => {
    const second = { attempt: 2, fence: 4 }
    const waiting = moved(states.sentAgain(), asked.scheduleRetry({ ...second, next_attempt_at: NOON }))
    expect(waiting.operation.extra_attempts).toBe(1)
    expect(moved(states.sentAgain(), asked.lose(second)).operation.extra_attempts).toBe(0)
    expect(moved(states.sentAgain(), asked.confirm(second)).operation.extra_attempts).toBe(0)
    expect(moved(states.sentAgain(), asked.takeover()).operation.extra_attempts).toBe(0)
  })

  it('is not spent by an end of an earlier attempt that is told again', () => {
    const granted = states.preparedInDoubt()
    expect(moved(granted, asked.late('ambiguous')).operation.extra_attempts).toBe(1)
    expect(moved(states.sentAgain(), asked.late('ambiguous')).operation.extra_attempts).toBe(1)
  })

  it.each([['withdraw'], ['cancel'], ['deny']] as const)('is gone with %s', verb => {
    expect(moved(states.preparedInDoubt(), asked[verb]()).operation.extra_attempts).toBe(0)
    expect(bodyOf(states.prepared(), asked[verb]()).set).not.toHaveProperty('extra_attempts')
  })

  it('says nothing about the next one: what was accepted before is not accepted again', () => {
    const spent = moved(states.sentAgain(), asked.late('not_applied'))
    const refused = moved(spent, asked.reject({ attempt: 2, fence: 4 }))
    expect(refused.operation.flags).toMatchObject({ duplicate_allowed: true })
    const { flags } = moved(refused, asked.allowRetry()).operation
    expect(flags).toEqual({ accepted_duplicate: 'it may be there twice' })
  })

  it('takes the cancel of a cancelled operation back', () => {
    expect(moved(states.cancelled(), asked.allowRetry()).operation).toMatchObject({
      status: 'prepared',
      cancel_requested_at: null,
    })
    expect(bodyOf(states.refused(), asked.allowRetry()).set).not.toHaveProperty('cancel_requested_at')
  })
})

describe('a cancel', () => {
  it('is asked once: a second one keeps the time of the first', () => {
    const asking = moved(states.sent(), asked.cancel())
    const again = moved(asking, asked.deny(), { now: stampAt(NOON + 5) })
    expect(again.operation).toMatchObject({ cancel_requested_at: NOON, flags: { denied: true } })
  })

  it('is taken back by reopen, a denial is not', () => {
    const cancelled = moved(states.waiting(), asked.cancel())
    expect(moved(cancelled, asked.reopen()).operation.cancel_requested_at).toBeNull()
    const denied = moved(states.waiting(), asked.deny())
    expect(moved(denied, asked.reopen()).operation).toMatchObject({
      cancel_requested_at: NOON,
      flags: { denied: true, reopened: true },
    })
  })
})

describe('an executor that is gone', () => {
  it.each([
    ['lease_lapsed', 'lease_lapsed', null],
    ['owner_gone', 'owner_gone', null],
    ['person', 'writer_gone', 'I ended it'],
  ] as const)('for %s leaves an error of the rule %s', (why, rule, reason) => {
    const context = { now: stampAt(NOON + MINUTE), owner_gone: true }
    const orphan = asked.orphan({ why, reason })
    expect(moved(states.sent(), orphan, context).operation.last_error).toMatchObject({ rule, attempt: 1 })
    const body = bodyOf(states.sent(), orphan, context)
    expect(body).toMatchObject({ facts: { why }, ends: [{ n: 1, end: 'ambiguous' }] })
    expect(body.reason).toBe(reason ?? undefined)
    expect(body.set?.last_error?.message.length).toBeGreaterThan(20)
  })

  it('by a takeover leaves an error that names the person, and none where nothing was in flight', () => {
    expect(moved(states.sent(), asked.takeover()).operation.last_error).toMatchObject({
      rule: 'taken_over',
      message: 'ana took the task over while an attempt was in flight',
    })
    expect(moved(states.waiting(), asked.takeover()).operation.last_error).toMatchObject({
      rule: 'connect_refused',
    })
  })
})

describe('an operation that something undoes', () => {
  const undone = { undone_by: ['refund-1'] }

  it.each([['reopen'], ['contradict']] as const)('is marked when %s takes it out of confirmed', verb => {
    expect(moved(states.confirmed(), asked[verb](), undone).operation.flags).toMatchObject({
      compensation_in_question: true,
    })
    expect(moved(states.confirmed(), asked[verb]()).operation.flags).not.toHaveProperty(
      'compensation_in_question',
    )
  })

  it('has its compensation marked too, which stays as it is and keeps its fence', () => {
    const { operation } = states.sent()
    expect(moved(states.sent(), asked.question()).operation).toMatchObject({
      status: 'in_flight',
      flags: { compensation_in_question: true },
      lease_fence: operation.lease_fence,
      version: operation.version + 1,
    })
  })
})
