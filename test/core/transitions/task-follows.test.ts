import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../src/core/transitions/events.js'
import type { EventType } from '../../../src/core/transitions/requests.js'
import { taskFollows } from '../../../src/core/transitions/task-follows.js'
import { aTask } from '../builders.js'

const SPENT = { flags: { budget_spent: 'all 3 attempts are used' } }

describe('a task that runs', () => {
  it.each(['reject', 'reject_in_doubt', 'lose'] as const)(
    'pauses when a %s says that only the budget stands against a retry',
    type => {
      expect(taskFollows(aTask(), [event('send'), event(type, SPENT)])).toEqual({
        from: 'running',
        to: 'budget_exhausted',
        set: { status_reason: 'all 3 attempts are used' },
        reason: 'all 3 attempts are used',
      })
    },
  )

  it('goes on after any other move, also where its row carries an old word of a budget', () => {
    expect(taskFollows(aTask(), [])).toBeNull()
    expect(taskFollows(aTask(), [event('lose'), event('reject', { flags: {} })])).toBeNull()
    expect(taskFollows(aTask(), [event('late_result', SPENT)])).toBeNull()
    expect(taskFollows(aTask(), [event('allow_retry')])).toBeNull()
  })
})

describe('a task whose budget is spent', () => {
  const paused = aTask({ status: 'budget_exhausted', status_reason: 'all 3 attempts are used' })

  it('runs on when a person grants an attempt', () => {
    expect(taskFollows(paused, [event('orphan'), event('allow_retry')])).toEqual({
      from: 'budget_exhausted',
      to: 'running',
      set: { status_reason: null },
    })
  })

  it('stays paused whatever else happens', () => {
    expect(taskFollows(paused, [event('cancel'), event('lose', SPENT)])).toBeNull()
  })
})

it('a task that is paused for another reason is not touched', () => {
  const suspended = aTask({ status: 'suspended' })
  expect(taskFollows(suspended, [event('lose', SPENT), event('allow_retry')])).toBeNull()
})

function event(type: EventType, set?: NewEvent['body']['set']): NewEvent {
  return {
    type,
    body: { from: 'in_flight', to: 'unknown', ...(set === undefined ? {} : { set }) },
    large: {},
  }
}
