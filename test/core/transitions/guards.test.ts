import { describe, expect, it } from 'vitest'
import { TASK_STATUSES } from '../../../src/core/task.js'
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
