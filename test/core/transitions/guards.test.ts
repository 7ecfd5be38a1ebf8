import { describe, expect, it } from 'vitest'
import type { Approval } from '../../../src/core/approval.js'
import { TASK_STATUSES } from '../../../src/core/task.js'
import type { Context, State } from '../../../src/core/transitions/requests.js'
import { asked, aTask, following, moved, NOON, refusalOf, SEEN, stampAt, TICKET } from '../builders.js'
import { states } from './cases.js'

const MINUTE = 60_000

describe('a task', () => {
  it.each(TASK_STATUSES.filter(status => status !== 'running'))('that is %s sends nothing', status => {
    const { rule, reason } = refusalOf(states.prepared(), asked.send(), { task: aTask({ status }) })
    expect({ rule, reason }).toEqual({ rule: 'task_running', reason: `task task-1 is ${status}` })
  })

  it('that was taken over sends nothing until it is handed back, and says who holds it', () => {
    const refusal = refusalOf(states.prepared(), asked.send(), { task: aTask({ taken_over_by: 'ben' }) })
    expect(refusal).toMatchObject({ rule: 'task_running', code: 'refused' })
    expect(refusal.reason).toContain('taken over by ben')
    expect(refusal.satisfy).toContain('handback task-1')
  })

  it('of another epoch than the executor claimed refuses it, and takes one that claims now', () => {
    const task = aTask({ epoch: 2 })
    expect(refusalOf(states.prepared(), asked.send(), { task })).toMatchObject({
      rule: 'epoch_as_claimed',
      code: 'conflict',
    })
    expect(moved(states.prepared(), asked.send({ epoch: null }), { task }).operation.status).toBe('in_flight')
  })
})

describe('the fence', () => {
  it('held since preparing must still be the current one', () => {
    const prepared = moved(states.prepared(), asked.takeover())
    expect(moved(prepared, asked.send({ fence: 2 })).operation.lease_fence).toBe(3)
    expect(refusalOf(prepared, asked.send({ fence: 1 }))).toMatchObject({
      rule: 'fence_as_held',
      code: 'conflict',
    })
  })

  it('is asked of every outcome an executor writes', () => {
    const later = { attempt: 1, fence: 3 }
    const outcomes = [
      asked.accept(later),
      asked.confirm(later),
      asked.reject(later),
      asked.scheduleRetry(later),
      asked.lose(later),
    ]
    for (const outcome of outcomes)
      expect(refusalOf(states.sent(), outcome)).toMatchObject({ rule: 'attempt_is_live', code: 'conflict' })
  })

  it('belongs to the newest attempt that has not ended', () => {
    const older = { attempt: 1, fence: 4 }
    expect(refusalOf(states.sentAgain(), asked.lose(older)).rule).toBe('attempt_is_live')
    const ended = moved(states.sent(), asked.late('not_applied'))
    expect(refusalOf(ended, asked.lose()).rule).toBe('attempt_is_live')
    expect(refusalOf(states.sent(), asked.lose({ attempt: 2 })).rule).toBe('attempt_is_live')
  })

  it('is held by nobody outside flight', () => {
    expect(refusalOf(states.lost(), asked.confirm())).toMatchObject({ code: 'conflict' })
    expect(refusalOf(states.lost(), asked.lose()).rule).toBe('no_such_move')
  })

  it('cannot be passed by a receipt that names no attempt', () => {
    const refusal = refusalOf(states.sent(), asked.confirm({ attempt: null, fence: null }))
    expect(refusal).toMatchObject({ rule: 'attempt_is_live' })
    expect(refusal.reason).toContain('names its attempt')
  })
})

describe('a deadline', () => {
  it.each([
    ['the operation', { deadline_at: NOON + MINUTE }, {}],
    ['its task', {}, { task: aTask({ deadline_at: NOON + MINUTE }) }],
  ])('of %s forbids sending from its very millisecond on', (_whose, intent, context) => {
    const prepared = following([asked.prepare(intent)])
    const before = { ...context, now: stampAt(NOON + MINUTE - 1) }
    expect(moved(prepared, asked.send(), before).operation.status).toBe('in_flight')
    const at = { ...context, now: stampAt(NOON + MINUTE) }
    expect(refusalOf(prepared, asked.send(), at).rule).toBe('deadline_ahead')
  })
})

describe('a retry', () => {
  it('waits for its time to the millisecond', () => {
    const waiting = states.waiting()
    expect(refusalOf(waiting, asked.send(), { now: stampAt(NOON + 4_999) })).toMatchObject({
      rule: 'retry_time_reached',
      reason: 'the next attempt is due in 1 ms',
    })
    expect(moved(waiting, asked.send(), { now: stampAt(NOON + 5_000) }).operation.status).toBe('in_flight')
  })

  it('has a budget over the whole life of the operation', () => {
    const tight = following([asked.prepare({ max_attempts: 1 }), asked.send()])
    expect(refusalOf(tight, asked.scheduleRetry())).toMatchObject({ rule: 'budget_left' })
    const refused = moved(tight, asked.reject())
    expect(refusalOf(refused, asked.rerun()).reason).toBe('all 1 attempts are used')
    const granted = moved(refused, asked.allowRetry())
    expect(moved(granted, asked.send()).operation).toMatchObject({ attempt: 2, status: 'in_flight' })
  })

  it('is not planned once a cancel is asked: what was refused is settled', () => {
    const asking = moved(states.sent(), asked.cancel())
    expect(refusalOf(asking, asked.scheduleRetry()).rule).toBe('no_cancel_asked')
    expect(moved(asking, asked.reject()).operation.status).toBe('not_executed')
  })
})

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

describe('a resend and a verdict of absence', () => {
  const matched = () => following([asked.match(), asked.reopen()], {}, states.keyedLost())

  it('are both refused with a receipt or an id on file', () => {
    const receipt = following([asked.confirm(), asked.reopen()], {}, states.sent())
    const version = receipt.operation.version
    expect(refusalOf(receipt, asked.absent({ seen_version: version })).rule).toBe('nothing_on_file')
    const known = { known_external_ids: [TICKET] }
    expect(refusalOf(states.keyedLost(), asked.resend(), known).rule).toBe('nothing_on_file')
    expect(refusalOf(states.lost(), asked.absent(), known).rule).toBe('nothing_on_file')
  })

  it('differ on what a person reopened: a probe may settle it, nobody sends it again by itself', () => {
    const { version } = matched().operation
    expect(refusalOf(matched(), asked.resend()).rule).toBe('never_reopened')
    expect(moved(matched(), asked.absent({ seen_version: version })).operation.status).toBe('not_executed')
  })

  it('are both refused when the clocks disagree', () => {
    const doubt = { clock_doubt: true }
    expect(refusalOf(states.keyedLost(), asked.resend(), doubt).rule).toBe('clocks_trusted')
    expect(refusalOf(states.lost(), asked.absent(), doubt).rule).toBe('clocks_trusted')
  })

  it('are refused when anything came between the first read and the verdict', () => {
    for (const over of [{ seen_version: 2 }, { seen_attempts: 0 }])
      expect(refusalOf(states.lost(), asked.absent(over))).toMatchObject({
        rule: 'probe_as_seen',
        code: 'conflict',
      })
  })

  it('a resend rests on no acceptance: nobody was asked about it', () => {
    const granted = { ...states.lost() }
    const operation = {
      ...granted.operation,
      extra_attempts: 1,
      flags: { accepted_duplicate: 'harmless', duplicate_allowed: true },
    } as const
    expect(refusalOf({ ...granted, operation }, asked.resend()).rule).toBe('repeat_safe_or_accepted')
  })
})

describe('a send of what may have applied', () => {
  it('rests on the acceptance only while the granted attempt is there', () => {
    const granted = states.preparedInDoubt()
    expect(moved(granted, asked.send()).operation.status).toBe('in_flight')
    const bare = (over: object) => ({ ...granted, operation: { ...granted.operation, ...over } })
    expect(refusalOf(bare({ extra_attempts: 0 }), asked.send()).rule).toBe('repeat_safe_or_accepted')
    const flags = { accepted_duplicate: 'harmless' }
    expect(refusalOf(bare({ flags }), asked.send()).rule).toBe('repeat_safe_or_accepted')
  })

  it('and was scheduled by itself is held to what a resend asks, a granted one is not', () => {
    const scheduled = moved(states.keyedLost(), asked.resend())
    expect(moved(scheduled, asked.send()).operation.status).toBe('in_flight')
    const doubt = { clock_doubt: true }
    expect(refusalOf(scheduled, asked.send(), doubt).rule).toBe('clocks_trusted_for_a_repeat')
    const onFile = { known_external_ids: [TICKET] }
    expect(refusalOf(scheduled, asked.send(), onFile).rule).toBe('nothing_on_file_for_a_repeat')
    const granted = states.preparedInDoubt()
    expect(moved(granted, asked.send(), { ...doubt, ...onFile }).operation.status).toBe('in_flight')
  })

  it('that was reopened after a definite refusal needs an acceptance too', () => {
    const reopened = moved(states.refused(), asked.reopen())
    expect(refusalOf(reopened, asked.allowRetry()).rule).toBe('repeat_safe_or_accepted')
    expect(
      moved(reopened, asked.allowRetry({ accept_duplicate: 'it may be there twice' })).operation.status,
    ).toBe('prepared')
  })
})

describe('a denial', () => {
  it('is final for sending, and bars no truth', () => {
    const denied = moved(states.waiting(), asked.deny())
    expect(refusalOf(denied, asked.rerun()).rule).toBe('not_denied')
    expect(refusalOf(denied, asked.allowRetry()).rule).toBe('not_denied')
    const reopened = moved(denied, asked.reopen())
    expect(refusalOf(reopened, asked.allowRetry()).rule).toBe('not_denied')
    expect(moved(reopened, asked.resolveConfirmed(), { evidence: [SEEN] }).operation.status).toBe('confirmed')
  })
})

describe('a person', () => {
  it('may leave out the version when they look in the same commit', () => {
    expect(moved(states.lost(), asked.abandon()).operation.status).toBe('abandoned')
  })

  it('is told until when an attempt can arrive, or that nobody can tell', () => {
    const no = asked.resolveNotExecuted()
    expect(refusalOf(states.lost(), no).reason).toContain('until 2026-03-10T12:16:00.000Z')
    const unbounded = following([
      asked.prepare({ contract: { arrival_bound_ms: 'unbounded' } }),
      asked.send(),
      asked.lose(),
    ])
    const refusal = refusalOf(unbounded, no, { now: stampAt(NOON + 1e12) })
    expect(refusal.reason).toContain('names no bound')
  })

  it('is told the latest of several arrivals', () => {
    const now = stampAt(NOON + 2 * MINUTE)
    const second = following(
      [asked.send(), asked.lose({ attempt: 2, fence: 4 })],
      { now },
      states.preparedInDoubt(),
    )
    expect(refusalOf(second, asked.resolveNotExecuted(), { now }).reason).toContain(
      'until 2026-03-10T12:18:00.000Z',
    )
  })
})

describe('what the table does not know', () => {
  it('is refused with the statuses from which it would apply', () => {
    const refusal = refusalOf(states.confirmed(), asked.abandon())
    expect(refusal).toEqual({
      rule: 'no_such_move',
      code: 'refused',
      reason: 'ticket-1 is confirmed: abandon does not apply',
      satisfy: 'it applies to an operation that is unknown',
    })
    expect(refusalOf(states.abandoned(), asked.rerun()).satisfy).toBe(
      'it applies to an operation that is not_executed; an attempt is still in doubt',
    )
    expect(refusalOf(states.confirmed(), asked.resolveNotExecuted()).reason).toContain('resolve not executed')
  })

  it('is refused by what chooses among rows, where only that does not fit', () => {
    expect(refusalOf(states.lost(), asked.confirm()).rule).toBe('is_probe')
    expect(refusalOf(states.prepared(), asked.match()).rule).toBe('may_have_applied')
  })

  it('includes a second prepare: the id is taken', () => {
    expect(refusalOf(states.prepared(), asked.prepare())).toMatchObject({
      rule: 'id_unused',
      code: 'conflict',
    })
  })
})
