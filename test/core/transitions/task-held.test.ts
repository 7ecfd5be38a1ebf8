import { describe, expect, it } from 'vitest'
import { evolveTask, type TaskRequest } from '../../../src/core/transitions/task.js'
import { aTask, NOON } from '../builders.js'
import { bodyOf, HELD, refusalOf } from './tasks.js'

const NO_REASON = {
  rule: 'reason_given',
  code: 'refused',
  reason: 'no reason was given',
  satisfy: 'give --reason',
}

describe('a takeover', () => {
  const takeover: TaskRequest = { type: 'takeover', reason: 'it hangs' }

  it('names who holds it since when, and raises the epoch', () => {
    expect(bodyOf(aTask({ epoch: 4 }), takeover, { actor: 'ana' })).toEqual({
      from: 'running',
      to: 'running',
      set: { taken_over_by: 'ana', taken_over_at: NOON + 5, epoch: 5 },
      reason: 'it hangs',
    })
  })

  it('wants a reason, and somebody who holds it is told', () => {
    expect(refusalOf(aTask(), { ...takeover, reason: ' ' })).toEqual(NO_REASON)
    expect(refusalOf(aTask(HELD), takeover)).toEqual({
      rule: 'task_not_taken_over',
      code: 'conflict',
      reason: 'task task-1 is held by ana since 2026-03-10T12:00:00.000Z',
      satisfy: 'talk to them, or hand it back: agent-ledger handback task-1',
    })
  })
})

describe('a handback', () => {
  const handback: TaskRequest = { type: 'handback', reason: '' }
  const free = { taken_over_by: null, taken_over_at: null, grace_until: null, grace_reason: null }

  it('lets go of what is held, and of a notice', () => {
    expect(bodyOf(aTask({ ...HELD, status: 'waiting_input' }), handback)).toEqual({
      from: 'waiting_input',
      to: 'waiting_input',
      set: free,
    })
    expect(bodyOf(aTask({ grace_until: NOON }), { ...handback, reason: 'it is fine' })).toEqual({
      from: 'running',
      to: 'running',
      set: free,
      reason: 'it is fine',
    })
  })

  it('lets run again what a supervisor suspended', () => {
    expect(bodyOf(aTask({ status: 'suspended' }), handback)).toEqual({
      from: 'suspended',
      to: 'running',
      set: free,
    })
  })

  it('of what nobody holds is refused', () => {
    expect(refusalOf(aTask(), handback)).toEqual({
      rule: 'task_taken_over',
      code: 'refused',
      reason: 'nobody holds task task-1',
      satisfy: 'nothing is to be handed back',
    })
  })
})

describe('a notice', () => {
  const hold: TaskRequest = { type: 'hold', until: NOON + 9, reason: 'it loops' }

  it('holds the task until its time, without a word on how it gets on', () => {
    const body = bodyOf(aTask(), hold)
    expect(body).toEqual({
      from: 'running',
      to: 'running',
      set: { grace_until: NOON + 9, grace_reason: 'it loops' },
      reason: 'it loops',
      quiet: true,
    })
    if (body === null) throw new Error('it is written')
    expect(evolveTask(aTask(), { task_id: 'task-1', at: NOON + 5, body })).toMatchObject({
      updated_at: NOON,
      version: 2,
    })
  })

  it('is made longer, never shorter', () => {
    expect(bodyOf(aTask({ grace_until: NOON + 9 }), hold)).toBeNull()
    expect(bodyOf(aTask({ grace_until: NOON + 10 }), hold)).toBeNull()
    expect(bodyOf(aTask({ grace_until: NOON + 8 }), hold)).not.toBeNull()
  })

  it('is lifted once, with what it was about', () => {
    const lift: TaskRequest = { type: 'lift', reason: 'it goes on' }
    expect(bodyOf(aTask({ grace_until: NOON + 9, status: 'waiting_input' }), lift)).toEqual({
      from: 'waiting_input',
      to: 'waiting_input',
      set: { grace_until: null, grace_reason: null },
      reason: 'it goes on',
      quiet: true,
    })
    expect(bodyOf(aTask(), lift)).toBeNull()
  })

  it.each<TaskRequest>([hold, { type: 'suspend', reason: 'it loops' }])(
    'is given only to what runs and nobody holds ($type)',
    request => {
      expect(refusalOf(aTask({ status: 'completed' }), request)).toEqual({
        rule: 'task_runs',
        code: 'conflict',
        reason: 'task task-1 is completed',
        satisfy: 'only what runs is suspended',
      })
      expect(refusalOf(aTask(HELD), request).reason).toBe('task task-1 is running and held by ana')
    },
  )

  it('is followed by a suspension, which fences executors off', () => {
    expect(bodyOf(aTask({ grace_until: NOON }), { type: 'suspend', reason: 'it loops' })).toEqual({
      from: 'running',
      to: 'suspended',
      set: { status_reason: 'it loops', epoch: 2, grace_until: null, grace_reason: null },
      reason: 'it loops',
    })
  })
})

describe('a cancel', () => {
  const cancel: TaskRequest = { type: 'cancel', reason: 'not wanted' }

  it('ends the task at once, or asks while something of it was sent and is open', () => {
    expect(bodyOf(aTask(), cancel)).toEqual({
      from: 'running',
      to: 'cancelled',
      set: { status_reason: 'not wanted' },
      reason: 'not wanted',
    })
    expect(bodyOf(aTask(), cancel, { hasOpenSent: true })?.to).toBe('cancel_requested')
    expect(bodyOf(aTask({ status: 'cancel_requested' }), cancel, { hasOpenSent: true })).toBeNull()
    expect(bodyOf(aTask({ status: 'cancel_requested' }), cancel)?.to).toBe('cancelled')
  })

  it('wants a reason, and a task that is open', () => {
    expect(refusalOf(aTask(), { ...cancel, reason: '' })).toEqual(NO_REASON)
    expect(refusalOf(aTask({ status: 'completed' }), cancel)).toEqual({
      rule: 'task_open',
      code: 'refused',
      reason: 'task task-1 is completed already',
      satisfy: 'nothing is to be cancelled',
    })
  })
})
