import { describe, expect, it } from 'vitest'
import { decide } from '../../../src/core/transitions/decide.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import {
  aContext,
  anApproval,
  asked,
  aTask,
  following,
  moved,
  NOON,
  SEEN,
  stampAt,
  TICKET,
} from '../builders.js'
import { states } from './cases.js'

const MINUTE = 60_000
const seen = { evidence: [SEEN] }

function bodyOf(state: State, request: Request, context: Partial<Context> = {}) {
  const decided = decide(state, request, aContext(context))
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.event.body
}

describe('a send', () => {
  it('announces the attempt with its fence, its clocks, and the last moment it may leave and arrive', () => {
    const { operation, attempts } = states.sent()
    expect(attempts).toMatchObject([
      {
        n: 1,
        fence: 2,
        owner: 'host/boot-1/42',
        sent_at: NOON,
        sent_boot_id: 'boot-1',
        sent_boot_ms: 1_000_000,
        send_by: NOON + MINUTE,
        latest_arrival: NOON + 16 * MINUTE,
        end: null,
        ended_at: null,
        error: null,
      },
    ])
    expect(operation).toMatchObject({
      attempt: 1,
      lease_fence: 2,
      lease_owner: 'host/boot-1/42',
      lease_expires_at: NOON + MINUTE,
      key_first_used_at: NOON,
    })
    expect(bodyOf(states.prepared(), asked.send())).toMatchObject({
      facts: { epoch: 1 },
    })
  })

  it('bounds arrival as the contract says, and not at all where it says unbounded', () => {
    const bounded = following([asked.prepare({ contract: { arrival_bound_ms: 5 } }), asked.send()])
    expect(bounded.attempts[0]?.latest_arrival).toBe(NOON + MINUTE + 5)
    const unbounded = following([
      asked.prepare({ contract: { arrival_bound_ms: 'unbounded' } }),
      asked.send(),
    ])
    expect(unbounded.attempts[0]?.latest_arrival).toBeNull()
  })

  it('may leave no later than the deadline of the operation or of its task', () => {
    const prepared = following([asked.prepare({ deadline_at: NOON + 20_000 })])
    expect(moved(prepared, asked.send()).attempts[0]?.send_by).toBe(NOON + 20_000)
    const task = aTask({ deadline_at: NOON + 10_000 })
    expect(moved(prepared, asked.send(), { task }).attempts[0]?.send_by).toBe(NOON + 10_000)
  })

  it('of a writer without leases takes none, and is bounded like any other', () => {
    const { operation, attempts } = moved(states.prepared(), asked.send({ lease_ms: null }))
    expect(operation).toMatchObject({ lease_owner: 'host/boot-1/42', lease_expires_at: null })
    expect(attempts[0]?.send_by).toBe(NOON + MINUTE)
  })

  it('that repeats under a key must have left before the margin, so that it arrives while the key is known', () => {
    const repeat = { kind: 'idempotency_key', retention_ms: 20 * MINUTE } as const
    const lost = following([asked.prepare({ repeat }), asked.send(), asked.lose()])
    const now = stampAt(NOON + 5 * MINUTE - 10)
    const again = following([asked.resend(), asked.send()], { now }, lost)
    const [, second] = again.attempts
    expect(second?.send_by).toBe(NOON + 5 * MINUTE - 1)
    expect(second?.latest_arrival).toBe(NOON + 20 * MINUTE - 1)
    expect(again.operation.key_first_used_at).toBe(NOON)
  })

  it('clears the time and the reason of the retry it is', () => {
    const now = stampAt(NOON + MINUTE)
    expect(states.waiting().operation).toMatchObject({
      next_attempt_at: NOON + 5_000,
      retry_reason: 'the service asked to wait',
    })
    expect(moved(states.waiting(), asked.send(), { now }).operation).toMatchObject({
      next_attempt_at: null,
      retry_reason: null,
    })
  })
})

describe('an approval', () => {
  const approval = anApproval({ approval_id: 'approval-1', digest: 'sha256:ab', approver: 'ben' })
  const approved = { approval, approval_digest: 'sha256:ab' }
  const used = { approval: { ...approval, used: 1 }, approval_digest: 'sha256:ab' }
  const sent = () => following([asked.prepare(), asked.send()], approved)

  it('is consumed by the send itself, and covers the retry of an attempt that did not apply', () => {
    expect(sent().operation.approval_id).toBe('approval-1')
    const waiting = moved(sent(), asked.scheduleRetry({ next_attempt_at: NOON }))
    const again = bodyOf(waiting, asked.send(), used)
    expect(again.set?.approval_id).toBeUndefined()
    expect(again.attempt?.n).toBe(2)
  })

  it('is spent when the attempt is lost', () => {
    expect(moved(sent(), asked.lose()).operation.approval_id).toBeNull()
  })

  it('stays on a confirmed row, and is spent once that is doubted again', () => {
    const confirmed = moved(sent(), asked.confirm())
    expect(confirmed.operation.approval_id).toBe('approval-1')
    expect(moved(confirmed, asked.reopen()).operation.approval_id).toBeNull()
    expect(moved(confirmed, asked.contradict()).operation.approval_id).toBeNull()
  })
})

describe('an accepted request', () => {
  it('passes the lease to the service for as long as the contract is patient, and keeps its task id', () => {
    const { operation } = moved(states.sent(), asked.accept({ patience_ms: 9 }))
    expect(operation).toMatchObject({
      status: 'in_flight',
      lease_owner: 'remote',
      lease_expires_at: NOON + 9,
      lease_fence: 2,
    })
    expect(bodyOf(states.sent(), asked.accept())).toMatchObject({
      external_ids: [{ kind: 'job', value: 'J-1' }],
      facts: { remote: { kind: 'job', value: 'J-1' } },
    })
  })
})

describe('a settled outcome', () => {
  it('keeps result, ids and who settled it', () => {
    const receipt = asked.confirm({ result_digest: 'sha256:cd' })
    expect(moved(states.sent(), receipt).operation).toMatchObject({
      result: { id: 'T-1' },
      result_digest: 'sha256:cd',
      settled_by: 'receipt',
      flags: {},
    })
    expect(bodyOf(states.sent(), receipt).external_ids).toEqual([TICKET])
    expect(moved(states.lost(), asked.match({ duplicates: true })).operation).toMatchObject({
      settled_by: 'probe',
      flags: { duplicates: true },
    })
  })

  it('by a person carries their name for ever', () => {
    const resolved = moved(states.lost(), asked.resolveConfirmed({ result_digest: 'sha256:ef' }), seen)
    expect(resolved.operation).toMatchObject({
      settled_by: 'person',
      by_hand: { by: 'ana', at: NOON },
      result_digest: 'sha256:ef',
    })
    const reopened = moved(resolved, asked.reopen())
    expect(reopened.operation).toMatchObject({ settled_by: null, by_hand: { by: 'ana' } })
    expect(moved(states.lost(), asked.abandon()).operation).toMatchObject({
      settled_by: 'person',
      by_hand: { by: 'ana' },
    })
  })

  it('by absence ends what was in doubt and nothing else, and names what the probe had seen', () => {
    const state = moved(states.sentAgain(), asked.rejectInDoubt({ attempt: 2, fence: 4 }))
    const absent = asked.absent({ seen_attempts: 2, seen_version: state.operation.version, rules_version: 7 })
    const body = bodyOf(state, absent)
    expect(body.ends).toEqual([{ n: 1, end: 'absent' }])
    expect(body.facts).toEqual({ rules_version: 7, seen_attempts: 2 })
    const after = moved(state, absent)
    expect(after.operation).toMatchObject({
      status: 'not_executed',
      settled_by: 'probe',
      may_have_applied: false,
    })
    expect(after.attempts.map(({ end }) => end)).toEqual(['absent', 'not_applied'])
  })

  it('doubted again turns absence back into doubt, and a definite refusal stays one', () => {
    const state = moved(states.sentAgain(), asked.rejectInDoubt({ attempt: 2, fence: 4 }))
    const absent = moved(state, asked.absent({ seen_attempts: 2, seen_version: state.operation.version }))
    for (const doubt of [asked.reopen(), asked.contradict()])
      expect(moved(absent, doubt).attempts.map(({ end }) => end)).toEqual(['ambiguous', 'not_applied'])
    expect(moved(absent, asked.contradict({ attempt: 1 })).attempts.map(({ end }) => end)).toEqual([
      'applied',
      'not_applied',
    ])
  })

  it('contradicted keeps the ids that contradict it and says so loudly', () => {
    const body = bodyOf(states.refused(), asked.contradict({ attempt: 1, external_ids: [TICKET] }))
    expect(body).toMatchObject({ external_ids: [TICKET], reason: 'a receipt came late' })
    expect(moved(states.refused(), asked.contradict()).operation.flags).toEqual({ contradicted: true })
  })
})

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

describe('a confirmation', () => {
  const DIGEST = `sha256:${'d'.repeat(64)}`

  it.each([
    ['of a person', asked.resolveConfirmed()],
    ['of a probe', asked.match()],
    ['of a late receipt', asked.late('applied')],
  ])('%s without a result leaves no digest of an earlier one behind', (_, again) => {
    const first = moved(states.lost(), asked.resolveConfirmed({ result: { id: 1 }, result_digest: DIGEST }))
    expect(first.operation).toMatchObject({ result: { id: 1 }, result_digest: DIGEST })
    const { operation } = moved(moved(first, asked.reopen()), again)
    expect(operation).toMatchObject({ status: 'confirmed', result: null, result_digest: null })
  })
})
