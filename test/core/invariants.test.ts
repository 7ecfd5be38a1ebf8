import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAttemptInDoubt } from '../../src/core/attempt.js'
import { decide } from '../../src/core/transitions/decide.js'
import type { Request } from '../../src/core/transitions/requests.js'
import { anApproval, asked, aTask, following, moved, NOON, refusalOf, SEEN, stampAt } from './builders.js'
import { CASES, states } from './transitions/cases.js'
import { asAsked } from './transitions/spoilers.js'
import { candidates, type Step, walks } from './walk.js'

// The first invariant (no byte leaves before `send` is durable) is the executor's; the model check and the tests
// of guarded execution hold it. Each one below was seen red with its rule removed (scripts/mutants).

describe('the invariants of the model', () => {
  it('2: confirmed and not_executed cite evidence', () => {
    for (const { state, request, context, to } of CASES) {
      if (state === null || (to !== 'confirmed' && to !== 'not_executed')) continue
      if (request.type === 'withdraw' || request.type === 'cancel' || request.type === 'deny') continue
      // it settles nothing: what was confirmed stays so
      if (request.type === 'question' || request.type === 'acknowledge') continue
      const { state: known, request: asking, context: told } = asAsked(state, request, context)
      const decided = decide(known, asking, { ...told, evidence: [] })
      expect(decided, request.type).toMatchObject({ ok: false, refusal: { rule: 'evidence_given' } })
    }
  })

  it('2: what a cancel or a withdrawal settles rests on refusals that cited evidence', () => {
    const refusals = [asked.reject(), asked.scheduleRetry()]
    for (const refusal of refusals)
      expect(refusalOf(states.sent(), refusal, { evidence: [] }).rule).toBe('evidence_given')
    const doubted = asked.rejectInDoubt({ attempt: 2, fence: 4 })
    expect(refusalOf(states.sentAgain(), doubted, { evidence: [] }).rule).toBe('evidence_given')
  })

  it('3: a lapsed lease leads to unknown and nowhere else', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { request, event, after } of steps)
          if (request.type === 'orphan' && event !== null) {
            expect(after.operation).toMatchObject({ status: 'unknown' })
            expect(after.attempts.at(-1)?.end).not.toBeNull()
          }
      }),
    )
    const now = stampAt(NOON + 60_000)
    const orphaned = moved(states.sent(), asked.orphan(), { now })
    expect(orphaned.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(refusalOf(orphaned, asked.resend(), { now }).rule).toBe('repeat_safe_or_accepted')
    expect(refusalOf(orphaned, asked.rerun(), { now }).rule).toBe('no_such_move')
  })

  it('4: once an attempt may have applied, no refusal of another and no cancel settles it', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const step of steps) {
          const { request, before, after } = step
          if (isSettledByRefusalOrStop(step)) {
            const mine = 'attempt' in request ? request.attempt : null
            const others = before.attempts.filter(({ n }) => n !== mine)
            expect(others.filter(isAttemptInDoubt)).toEqual([])
          }
          if (after.operation.status === 'cancelled') expect(after.attempts).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
    const doubted = moved(states.preparedInDoubt(), asked.cancel())
    expect(doubted.operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(refusalOf(states.sentAgain(), asked.reject({ attempt: 2, fence: 4 })).rule).toBe(
      'no_other_attempt_in_doubt',
    )
  })

  it('5: an operation id is used once', () => {
    for (const { state } of CASES) {
      if (state === null) continue
      const again = asked.prepare({ input: { title: 'something else' } })
      expect(refusalOf(state, again)).toMatchObject({ rule: 'id_unused', code: 'conflict' })
    }
  })

  it('6: at most one attempt holds the fence, and who lost it writes nothing but late evidence', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before, request, event, after } of steps) {
          const open = after.attempts.filter(({ end }) => end === null)
          expect(open.length).toBeLessThanOrEqual(1)
          if (event === null || !('fence' in request) || request.fence === null) continue
          if (request.type === 'late_result' || request.type === 'send') continue
          expect(request.fence).toBe(before.operation.lease_fence)
          expect(request).toMatchObject({ attempt: before.operation.attempt })
        }
      }),
      { numRuns: 300 },
    )
    const now = stampAt(NOON + 60_000)
    const orphaned = moved(states.sent(), asked.orphan(), { now })
    expect(refusalOf(orphaned, asked.confirm()).code).toBe('conflict')
    expect(moved(orphaned, asked.late('applied')).operation.status).toBe('confirmed')
  })

  it('6: every decision and change of hands raises the fence', () => {
    const hands = [
      'orphan',
      'takeover',
      'allow_retry',
      'withdraw',
      'reopen',
      'contradict',
      'abandon',
      'absent',
    ]
    for (const { state, request, context } of CASES) {
      if (state === null || !hands.includes(request.type)) continue
      const after = moved(state, request, context)
      expect(after.operation.lease_fence, request.type).toBe(state.operation.lease_fence + 1)
    }
  })

  it('7: every change is one event that raises the version by one', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        for (const { before, event, after } of steps) {
          expect(after.operation.version).toBe(before.operation.version + (event === null ? 0 : 1))
          if (event === null) expect(after).toBe(before)
          else expect(event.body).toMatchObject({ from: before.operation.status, to: after.operation.status })
        }
      }),
    )
  })

  it('8: an approval is consumed by send itself, for its digest alone, as often as it says', () => {
    const approval = anApproval({ approval_id: 'approval-1', digest: 'sha256:ab', approver: 'ben' })
    const prepared = following([asked.prepare({ contract: { approval: 'required' } })])
    const approved = { approval, approval_digest: 'sha256:ab' }
    expect(refusalOf(prepared, asked.send(), { approval, approval_digest: 'sha256:cd' }).rule).toBe(
      'approval_matches',
    )
    const sent = moved(prepared, asked.send(), approved)
    expect(sent.operation.approval_id).toBe('approval-1')
    const usedUp = { approval: { ...approval, used: 1 }, approval_digest: 'sha256:ab' }
    const outcomes: Request[][] = [
      [asked.lose()],
      [asked.confirm(), asked.reopen()],
      [asked.confirm(), asked.contradict()],
    ]
    for (const outcome of outcomes) {
      const again = following(
        [...outcome, asked.allowRetry({ accept_duplicate: 'it may be there twice' })],
        {},
        sent,
      )
      expect(refusalOf(again, asked.send(), usedUp).rule).toBe('approval_matches')
    }
  })

  it('9: after a cancel or a denial no send commits, until a person reopens the cancelled one', () => {
    fc.assert(
      fc.property(walks, ({ steps }) => {
        let stop: 'cancel' | 'deny' | null = null
        for (const { request, event, before } of steps) {
          if (event === null) continue
          if (request.type === 'send' || request.type === 'resend' || request.type === 'rerun')
            expect(stop).toBeNull()
          if (request.type === 'deny') stop = 'deny'
          if (request.type === 'cancel' && stop === null) stop = 'cancel'
          const isTakenBack =
            request.type === 'reopen' ||
            (request.type === 'allow_retry' && before.operation.status === 'cancelled')
          if (stop === 'cancel' && isTakenBack) stop = null
        }
      }),
      { numRuns: 300 },
    )
    for (const stop of [asked.cancel(), asked.deny()]) {
      const stopped = moved(states.sent(), stop)
      const lost = moved(stopped, asked.lose())
      for (const request of candidates(lost)) {
        const decided = decide(lost, request, asAsked(lost, request, { evidence: [SEEN] }).context)
        if (decided.ok) expect(decided.event.body.to, request.type).not.toBe('prepared')
      }
    }
  })

  it('9: after a takeover no send commits until handback, and then not for the old executor', () => {
    const taken = moved(states.prepared(), asked.takeover())
    const held = aTask({ taken_over_by: 'ben', epoch: 2 })
    expect(refusalOf(taken, asked.send({ epoch: 2 }), { task: held }).rule).toBe('task_running')
    const handedBack = aTask({ epoch: 2 })
    expect(refusalOf(taken, asked.send({ epoch: 1 }), { task: handedBack }).rule).toBe('epoch_as_claimed')
    expect(refusalOf(taken, asked.send({ epoch: 2, fence: 1 }), { task: handedBack }).rule).toBe(
      'fence_as_held',
    )
    expect(moved(taken, asked.send({ epoch: 2 }), { task: handedBack }).operation.status).toBe('in_flight')
    const lost = states.keyedLost()
    expect(refusalOf(lost, asked.resend(), { task: held }).rule).toBe('task_running')
  })

  it('10: a compensation checks in its own send that what it undoes is confirmed and undone by nobody else', () => {
    const undo = following([asked.prepare({ operation_id: 'undo-1', compensates: 'ticket-1' })])
    const other = { other_compensation: null }
    expect(
      moved(undo, asked.send(), { compensated: { ...states.confirmed(), ...other } }).operation.status,
    ).toBe('in_flight')
    for (const state of [states.sent(), states.lost(), states.refused(), states.abandoned()])
      expect(refusalOf(undo, asked.send(), { compensated: { ...state, ...other } }).rule).toBe(
        'compensation_allowed',
      )
    const twice = { ...states.confirmed(), other_compensation: 'undo-0' }
    expect(refusalOf(undo, asked.send(), { compensated: twice }).rule).toBe('compensation_allowed')
  })
})

/** A move to not_executed or cancelled that no verdict and no person's look is behind. */
function isSettledByRefusalOrStop({ request, event, after }: Step): boolean {
  const verbs = ['reject', 'schedule_retry', 'late_result', 'cancel', 'deny', 'withdraw']
  const { status } = after.operation
  return (
    event !== null &&
    verbs.includes(request.type) &&
    (status === 'not_executed' || status === 'cancelled') &&
    event.body.from !== status
  )
}
