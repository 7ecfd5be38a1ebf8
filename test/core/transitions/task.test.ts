import { describe, expect, it } from 'vitest'
import { TASK_STATUSES } from '../../../src/core/task.js'
import { evolveTask, freshTask, type TaskRequest } from '../../../src/core/transitions/task.js'
import { heldBack } from '../../../src/core/transitions/task-decided.js'
import { aTask, NOON } from '../builders.js'
import { bodyOf, CONTEXT, HELD, refusalOf } from './tasks.js'

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
