import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/task.js'
import type { TheirTask } from '../../../src/core/transitions/import-task.js'
import { decideTask } from '../../../src/core/transitions/task.js'
import { aTask, NOON } from '../builders.js'

const THEIRS: TheirTask = {
  task_id: 'task-1',
  parent_task_id: null,
  goal: 'Keep the disks free',
  status: 'running',
  status_reason: null,
  agent: 'bot',
  thread: null,
  workspace: null,
  labels: {},
  deadline_at: null,
  heartbeat_at: null,
  activity_at: NOON,
  progress_at: null,
  closed_at: null,
  created_at: NOON - 9,
}

describe('the task of another system', () => {
  it('is taken in with what its record says, and nothing of what it leaves open', () => {
    expect(bodyOf(null)).toEqual({
      from: null,
      to: 'running',
      set: { goal: 'Keep the disks free', agent: 'bot', activity_at: NOON, created_at: NOON - 9, epoch: 1 },
    })
    const own = { links: ['https://run/1'], budget: { steps: 4 } }
    expect(bodyOf(null, { created_at: null, own })?.set).toEqual({
      goal: 'Keep the disks free',
      agent: 'bot',
      activity_at: NOON,
      ...own,
      epoch: 1,
    })
    expect(bodyOf(null, { own: { links: [] } })?.set).not.toHaveProperty('links')
  })

  it('keeps when it was closed there, where it is closed', () => {
    const closed_at = NOON - 3
    expect(bodyOf(null, { status: 'completed', closed_at })).toMatchObject({
      to: 'completed',
      set: { closed_at },
    })
    expect(bodyOf(null, { closed_at })?.set).not.toHaveProperty('closed_at')
    expect(bodyOf(aTask(), { status: 'completed', closed_at })).toMatchObject({ set: { closed_at } })
    expect(bodyOf(aTask(), { status: 'waiting_input', closed_at })?.set).not.toHaveProperty('closed_at')
  })
})

describe('a later reading', () => {
  const known = aTask({ agent: 'bot', activity_at: NOON })

  it('that tells the same writes nothing', () => {
    expect(bodyOf(known)).toBeNull()
  })

  it('adds what it says otherwise, takes nothing back, and moves the task on', () => {
    expect(bodyOf(known, { goal: null, agent: 'other', own: { budget: { steps: 3 } } })).toEqual({
      from: 'running',
      to: 'running',
      set: { agent: 'other', budget: { steps: 3 } },
    })
    expect(bodyOf(known, { status: 'failed' })).toEqual({ from: 'running', to: 'failed', set: {} })
  })

  it('that is an earlier one, by its newest sign of life, changes nothing', () => {
    const newer = aTask({ heartbeat_at: NOON - 5, activity_at: NOON + 5, progress_at: NOON - 9 })
    expect(bodyOf(newer, { agent: 'other', activity_at: NOON + 4 })).toBeNull()
    expect(bodyOf(newer, { agent: 'other', activity_at: NOON + 5 })).not.toBeNull()
    expect(bodyOf(newer, { agent: 'other', heartbeat_at: NOON + 6 })).not.toBeNull()
    const silent = aTask()
    expect(bodyOf(silent, { agent: 'other' })).not.toBeNull()
    expect(bodyOf(newer, { agent: 'other', activity_at: null })).not.toBeNull()
  })

  it('leaves the status to whoever holds the task here, or held it', () => {
    const held = { taken_over_by: 'ana', taken_over_at: NOON }
    expect(refusalOf(aTask(held), { status: 'failed' })).toBe('task_not_taken_over')
    expect(bodyOf(aTask(held), { agent: 'other' })).toMatchObject({ to: 'running', set: { agent: 'other' } })
    expect(refusalOf(aTask({ status: 'cancelled' }), {})).toBe('no_cancel_asked')
    expect(bodyOf(aTask({ epoch: 2 }), { status: 'failed' })).toMatchObject({ to: 'running' })
  })
})

function asked(task: Task | null, over: Partial<TheirTask>) {
  const request = { type: 'import', task: { ...THEIRS, ...over } } as const
  return decideTask(task, request, { actor: 'import', at: NOON + 9, hasOpenSent: false })
}

function bodyOf(task: Task | null, over: Partial<TheirTask> = {}) {
  const decided = asked(task, over)
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.body
}

function refusalOf(task: Task, over: Partial<TheirTask>): string {
  const decided = asked(task, over)
  return decided.ok ? 'allowed' : decided.refusal.rule
}
