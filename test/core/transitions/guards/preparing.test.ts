import { describe, expect, it } from 'vitest'
import { sameWriteOnce, taskNotCancelled } from '../../../../src/core/transitions/guards/preparing.js'
import { anIntent, asked, aTask } from '../../builders.js'
import { states } from '../cases.js'
import { said } from './moves.js'

const prepare = asked.prepare()

describe('a task that is cancelled', () => {
  it.each(['cancel_requested', 'cancelled'] as const)('(%s) begins nothing but what cleans up', status => {
    const task = aTask({ status })
    expect(said(taskNotCancelled, states.prepared(), prepare, { task })).toEqual({
      reason: `task task-1 is ${status}: nothing further of it begins`,
      satisfy: 'end the run; what must be cleaned up after it is asked for as such (cleanup: true)',
    })
    expect(said(taskNotCancelled, states.prepared(), { ...prepare, cleanup: true }, { task })).toBeNull()
    expect(said(taskNotCancelled, states.prepared(), asked.resend(), { task })).not.toBeNull()
  })

  it('is none while it only waits', () => {
    const task = aTask({ status: 'suspended' })
    expect(said(taskNotCancelled, states.prepared(), prepare, { task })).toBeNull()
  })
})

describe('the same tool and input', () => {
  const same = { same_write: 'ticket-0' }

  it('stand under one id of a task', () => {
    expect(said(sameWriteOnce, states.prepared(), prepare, same)).toEqual({
      reason: 'the same tool and input stand under ticket-0 in this task',
      satisfy: 'go on with ticket-0; if it is wanted once more, say why (again)',
      other: 'ticket-0',
    })
    expect(said(sameWriteOnce, states.prepared(), prepare)).toBeNull()
  })

  it.each([
    ['somebody says why', { ...prepare, again: 'two are wanted' }],
    ['it was written down elsewhere', asked.prepare(anIntent({ provenance: 'imported' }))],
    ['it is a read', asked.prepare(anIntent({ effect: 'read' }))],
    ['something else is asked', asked.send()],
  ])('may stand twice where %s', (_, request) => {
    expect(said(sameWriteOnce, states.prepared(), request, same)).toBeNull()
  })
})
