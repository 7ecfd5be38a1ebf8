import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/approval.js'
import type { Context, State } from '../../../src/core/transitions/requests.js'
import { asked, following, moved, NOON, refusalOf, stampAt } from '../builders.js'
import { states } from './cases.js'

const MINUTE = 60_000

describe('an approval', () => {
  const approval: Approval = {
    approval_id: 'approval-1',
    operation_id: 'ticket-1',
    digest: 'sha256:ab',
    approver: 'ben',
    reason: 'fine',
    granted_at: NOON,
    expires_at: NOON + MINUTE,
    uses: 2,
    used: 1,
    revoked_at: null,
  }
  const prepared = following([asked.prepare({ contract: { approval: 'required' } })])

  function refusedWith(over: Partial<Approval>, context: Partial<Context> = {}, state = prepared) {
    const given = { approval: { ...approval, ...over }, approval_digest: 'sha256:ab', ...context }
    return refusalOf(state, asked.send(), given).reason
  }

  it('lets what needs it go while it has a use left, before its end', () => {
    const now = stampAt(NOON + MINUTE - 1)
    const sent = moved(prepared, asked.send(), { approval, approval_digest: 'sha256:ab', now })
    expect(sent.operation.approval_id).toBe('approval-1')
  })

  it.each<[string, Partial<Approval>, Partial<Context>]>([
    ['it needs an approval', {}, { approval: null }],
    ['was revoked', { revoked_at: NOON }, {}],
    ['was given for something else', { digest: 'sha256:cd' }, {}],
    ['was given for something else', {}, { approval_digest: null }],
    ['has expired', {}, { now: stampAt(NOON + MINUTE) }],
    ['is used up', { used: 2 }, {}],
    ['is used up', { used: 3 }, {}],
  ])('does not when it %s', (reason, over, context) => {
    expect(refusedWith(over, context)).toContain(reason)
  })

  it('that never ends may be old', () => {
    const old = { approval: { ...approval, expires_at: null }, approval_digest: 'sha256:ab' }
    const sent = moved(prepared, asked.send(), { ...old, now: stampAt(NOON + 1e10) })
    expect(sent.operation.status).toBe('in_flight')
  })

  it('under way is used up by nobody else: the retry of its own attempt goes on under it', () => {
    const consumed = { approval: { ...approval, used: 2, expires_at: null }, approval_digest: 'sha256:ab' }
    const sent = moved(prepared, asked.send(), { approval, approval_digest: 'sha256:ab' })
    const waiting = moved(sent, asked.scheduleRetry({ next_attempt_at: NOON }))
    expect(moved(waiting, asked.send(), consumed).operation.attempt).toBe(2)
    const lost = moved(sent, asked.lose())
    const granted = moved(lost, asked.allowRetry({ accept_duplicate: 'it may be there twice' }))
    expect(refusedWith({ used: 2 }, {}, granted)).toContain('is used up')
  })

  it('is not asked for where none is needed, but one on file must be valid', () => {
    expect(moved(states.prepared(), asked.send()).operation.approval_id).toBeNull()
    expect(refusedWith({ revoked_at: NOON }, {}, states.prepared())).toContain('was revoked')
  })
})

describe('a compensation', () => {
  const undo = following([asked.prepare({ operation_id: 'undo-1', compensates: 'ticket-1' })])

  function undoing(done: State, other: string | null = null, now = stampAt(NOON)): Partial<Context> {
    return { compensated: { ...done, other_compensation: other }, now }
  }

  it('is sent when what it undoes is confirmed and can arrive no more', () => {
    expect(moved(undo, asked.send(), undoing(states.confirmed())).operation.status).toBe('in_flight')
  })

  it.each([
    ['not in this ledger', { compensated: null }],
    ['ticket-1 is unknown, not confirmed', undoing(states.lost())],
    ['ticket-1 is already undone by undo-0', undoing(states.confirmed(), 'undo-0')],
  ])('is refused: %s', (reason, context) => {
    const refusal = refusalOf(undo, asked.send(), context)
    expect(refusal).toMatchObject({ rule: 'compensation_allowed', reason: expect.stringContaining(reason) })
  })

  it('waits until the last attempt in doubt has run out of time to arrive', () => {
    const matched = moved(states.sent(), asked.match())
    const last = NOON + 16 * MINUTE
    expect(refusalOf(undo, asked.send(), undoing(matched, null, stampAt(last))).reason).toContain(
      'still arrive',
    )
    expect(moved(undo, asked.send(), undoing(matched, null, stampAt(last + 1))).operation.status).toBe(
      'in_flight',
    )
    const [attempt] = matched.attempts
    const open = attempt === undefined ? [] : [{ ...attempt, end: null }]
    expect(refusalOf(undo, asked.send(), undoing({ ...matched, attempts: open })).reason).toContain('arrive')
  })
})

describe('an executor', () => {
  const lapsed = stampAt(NOON + MINUTE)

  it('is gone when its lease lapsed or its process is provably gone', () => {
    expect(refusalOf(states.sent(), asked.orphan()).satisfy).toContain('2026-03-10T12:01:00.000Z')
    expect(moved(states.sent(), asked.orphan(), { now: lapsed }).operation.status).toBe('unknown')
    expect(
      moved(states.sent(), asked.orphan({ why: 'owner_gone' }), { owner_gone: true }).operation.status,
    ).toBe('unknown')
  })

  it('is not gone because a person says so while it holds a lease', () => {
    const said = asked.orphan({ why: 'person', reason: 'I ended it' })
    expect(refusalOf(states.sent(), said).rule).toBe('executor_gone')
  })

  it('without leases is gone only when a person says so, with a reason', () => {
    const sent = moved(states.prepared(), asked.send({ lease_ms: null }))
    const much = { now: stampAt(NOON + 1e12) }
    expect(refusalOf(sent, asked.orphan(), much).satisfy).toContain('takes no leases')
    for (const reason of [null, ' ']) {
      const refusal = refusalOf(sent, asked.orphan({ why: 'person', reason }), much)
      expect(refusal).toMatchObject({ rule: 'executor_gone', reason: 'no reason was given' })
    }
    expect(moved(sent, asked.orphan({ why: 'person', reason: 'I ended it' })).operation.status).toBe(
      'unknown',
    )
  })
})
