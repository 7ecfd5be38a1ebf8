import { describe, expect, it } from 'vitest'
import { isTaskClosed, TASK_STATUSES } from '../../src/core/task.js'
import { PAUSES, pauseItem, pauseOf } from '../../src/core/task-pauses.js'

describe('a pause', () => {
  it('is every status in which a task is open and does not run', () => {
    const open = TASK_STATUSES.filter(status => status !== 'running' && !isTaskClosed(status))
    expect(PAUSES.map(({ status }) => status).sort()).toEqual([...open].sort())
    for (const status of TASK_STATUSES)
      expect(pauseOf(status)?.status ?? null).toBe(open.find(one => one === status) ?? null)
  })

  it('says what it waits for and who ends it, each in words of its own', () => {
    for (const of of ['title', 'resumes'] as const)
      expect(new Set(PAUSES.map(pause => pause[of])).size).toBe(PAUSES.length)
  })

  it.each([
    ['waiting_input', null],
    ['waiting_approval', 'agent-ledger list --task=task-1'],
    ['budget_exhausted', 'agent-ledger list --task=task-1 --all'],
    ['suspended', "agent-ledger handback --reason '…' task-1"],
    ['cancel_requested', 'agent-ledger report task-1'],
  ] as const)('of a task that is %s names the line to type: %s', (status, command) => {
    const pause = pauseOf(status)
    expect(pauseItem({ status, task_id: 'task-1' })).toEqual({
      status,
      title: pause?.title,
      resumes: pause?.resumes,
      command,
    })
  })

  it('is none of a task that runs or is closed', () => {
    expect(pauseItem({ status: 'running', task_id: 'task-1' })).toBeNull()
    expect(pauseItem({ status: 'completed', task_id: 'task-1' })).toBeNull()
  })
})
