import { describe, expect, it } from 'vitest'
import { TASK_STATUSES } from '../../../src/core/task.js'
import { decideTask, evolveTask, freshTask, type TaskRequest } from '../../../src/core/transitions/task.js'
import { heldBack, type TaskContext } from '../../../src/core/transitions/task-decided.js'
import { aTask, NOON } from '../builders.js'

const CONTEXT: TaskContext = { actor: 'agent', at: NOON + 5, hasOpenSent: false }
const HELD = { taken_over_by: 'ana', taken_over_at: NOON }

describe('a task that nobody opened', () => {
  it('is opened as it is told of, running in its first epoch', () => {
    const task = { task_id: 'task-1', goal: 'Keep the disks free', agent: undefined, deadline_at: null }
    expect(bodyOf(null, { type: 'open', task })).toEqual({
      from: null,
      to: 'running',
      set: { goal: 'Keep the disks free', deadline_at: null, epoch: 1 },
    })
    expect(bodyOf(null, { type: 'open', task: { task_id: 'task-1' }, status: 'waiting_input' })).toEqual({
      from: null,
      to: 'waiting_input',
      set: { epoch: 1 },
    })
  })

  it.each<TaskRequest>([
    { type: 'set_status', status: 'completed', reason: null },
    { type: 'takeover', reason: 'it hangs' },
    { type: 'handback', reason: '' },
    { type: 'hold', until: NOON, reason: 'it loops' },
    { type: 'lift', reason: '' },
    { type: 'suspend', reason: 'it loops' },
    { type: 'cancel', reason: 'not wanted' },
  ])('is none for $type', request => {
    expect(refusalOf(null, request)).toEqual({
      rule: 'task_known',
      code: 'refused',
      reason: 'there is no such task',
      satisfy: 'open it first',
    })
  })

  it('is seen by the guards of its first operation as one that runs', () => {
    expect(freshTask('task-1', NOON)).toEqual(aTask({ goal: null }))
  })
})

describe('a task that is opened again', () => {
  it('takes over what is told otherwise, and keeps the rest and its status', () => {
    const task = { task_id: 'task-1', goal: 'Free the disks', labels: {}, agent: 'bot' }
    expect(bodyOf(aTask({ status: 'waiting_input' }), { type: 'open', task })).toEqual({
      from: 'waiting_input',
      to: 'waiting_input',
      set: { goal: 'Free the disks', agent: 'bot' },
    })
  })

  it('takes the status that is told with it', () => {
    const opened: TaskRequest = { type: 'open', task: { task_id: 'task-1' }, status: 'running' }
    expect(bodyOf(aTask({ status: 'completed' }), opened)).toEqual({
      from: 'completed',
      to: 'running',
      set: {},
    })
    expect(bodyOf(aTask(), opened)).toBeNull()
  })

  it('writes nothing where all is told already', () => {
    const { goal, links, labels } = aTask()
    expect(bodyOf(aTask(), { type: 'open', task: { task_id: 'task-1', goal, links, labels } })).toBeNull()
  })
})

describe('an executor', () => {
  const opened: TaskRequest = { type: 'open', task: { task_id: 'task-1', goal: 'another' } }
  const paused: TaskRequest = { type: 'set_status', status: 'waiting_input', reason: null }

  it.each([opened, paused])('is held back by a person who took the task over ($type)', request => {
    expect(refusalOf(aTask(HELD), request)).toEqual({
      rule: 'task_not_taken_over',
      code: 'conflict',
      reason: 'task task-1 was taken over by ana',
      satisfy: 'hand it back first: agent-ledger handback task-1',
    })
    expect(bodyOf(aTask(HELD), request, { actor: 'ana' })).not.toBeNull()
  })

  it.each(['cancel_requested', 'cancelled'] as const)('is held back by a task that is %s', status => {
    expect(heldBack(aTask({ status }), CONTEXT)).toEqual({
      rule: 'no_cancel_asked',
      code: 'refused',
      reason: `task task-1 is ${status}`,
      satisfy: 'another run is another task: open it under its own id',
    })
    expect(refusalOf(aTask({ status }), opened).rule).toBe('no_cancel_asked')
    expect(refusalOf(aTask({ status }), paused).rule).toBe('no_cancel_asked')
  })

  it('is held back by nothing else', () => {
    for (const status of TASK_STATUSES.filter(one => !one.startsWith('cancel')))
      expect(heldBack(aTask({ status }), CONTEXT)).toBeNull()
  })
})

describe('a status that is set', () => {
  const set = (over: object, status: 'running' | 'failed' | 'waiting_input', reason: string | null = null) =>
    bodyOf(aTask(over), { type: 'set_status', status, reason })

  it('carries its reason, and is written once', () => {
    expect(set({}, 'failed', 'no disk')).toEqual({
      from: 'running',
      to: 'failed',
      set: { status_reason: 'no disk' },
      reason: 'no disk',
    })
    expect(set({ status: 'failed', status_reason: 'no disk' }, 'failed', 'no disk')).toBeNull()
    expect(set({ status: 'failed' }, 'failed', 'no disk')).not.toBeNull()
    expect(set({ status_reason: 'no disk' }, 'failed', 'no disk')).not.toBeNull()
  })

  it.each([null, ' '])('without a reason names none (%j)', reason => {
    expect(set({}, 'failed', reason)).toEqual({
      from: 'running',
      to: 'failed',
      set: { status_reason: reason },
    })
  })

  it('ends a notice, which is about what runs', () => {
    const noticed = { grace_until: NOON + 9, grace_reason: 'it loops' }
    expect(set(noticed, 'waiting_input')?.set).toEqual({
      status_reason: null,
      grace_until: null,
      grace_reason: null,
    })
    expect(set({ ...noticed, status: 'waiting_input' }, 'running')?.set).toEqual({ status_reason: null })
  })

  it('ends a run whose cancel was asked, and nothing else moves it', () => {
    expect(set({ status: 'cancel_requested' }, 'failed')).toMatchObject({ to: 'failed' })
    const going: TaskRequest = { type: 'set_status', status: 'running', reason: null }
    expect(refusalOf(aTask({ status: 'cancel_requested' }), going).rule).toBe('no_cancel_asked')
    const ended: TaskRequest = { type: 'set_status', status: 'failed', reason: null }
    expect(refusalOf(aTask({ status: 'cancel_requested', ...HELD }), ended).rule).toBe('task_not_taken_over')
    expect(refusalOf(aTask({ status: 'cancelled' }), ended).rule).toBe('no_cancel_asked')
  })
})

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

describe('the row of a task', () => {
  it('keeps when it was closed first, and forgets it when it runs again', () => {
    const moved = (task: ReturnType<typeof aTask>, to: 'failed' | 'running', at: number, set = {}) =>
      evolveTask(task, { task_id: 'task-1', at, body: { from: task.status, to, set } })
    const failed = moved(aTask(), 'failed', NOON + 1)
    expect(failed).toMatchObject({ status: 'failed', closed_at: NOON + 1, updated_at: NOON + 1, version: 2 })
    expect(moved(failed, 'failed', NOON + 2).closed_at).toBe(NOON + 1)
    expect(moved(failed, 'failed', NOON + 2, { closed_at: NOON }).closed_at).toBe(NOON)
    expect(moved(failed, 'running', NOON + 3).closed_at).toBeNull()
  })

  it('before its first event says nothing', () => {
    const body = { from: null, to: 'running', set: {} } as const
    expect(evolveTask(null, { task_id: 'task-9', at: NOON, body })).toEqual(
      aTask({ task_id: 'task-9', goal: null, epoch: 0 }),
    )
  })
})

const NO_REASON = {
  rule: 'reason_given',
  code: 'refused',
  reason: 'no reason was given',
  satisfy: 'give --reason',
}

function bodyOf(
  task: ReturnType<typeof aTask> | null,
  request: TaskRequest,
  over: Partial<TaskContext> = {},
) {
  const decided = decideTask(task, request, { ...CONTEXT, ...over })
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.body
}

function refusalOf(task: ReturnType<typeof aTask> | null, request: TaskRequest) {
  const decided = decideTask(task, request, CONTEXT)
  if (decided.ok) throw new Error(`${request.type} was allowed`)
  return decided.refusal
}
