import { describe, expect, it } from 'vitest'
import { newKeyAllowed } from '../../src/core/new-key.js'
import type { State } from '../../src/core/transitions/requests.js'
import { asked, following, moved, SEEN } from './builders.js'
import { states } from './transitions/cases.js'

function allowed({ operation, attempts }: State) {
  return newKeyAllowed(operation, attempts)
}

describe('another key for the same write', () => {
  it.each<[string, State, boolean]>([
    ['confirmed', states.confirmed(), true],
    ['certainly refused', states.refused(), true],
    ['cancelled and never sent', states.cancelled(), true],
    ['lost', states.lost(), false],
    ['in flight', states.sent(), false],
    ['prepared', states.prepared(), false],
    ['waiting for a retry', states.waiting(), false],
    ['prepared again in doubt', states.preparedInDoubt(), false],
    ['abandoned', states.abandoned(), false],
    ['reopened', moved(states.confirmed(), asked.reopen()), false],
    ['settled too early by a person', settledEarly(), false],
  ])('where it is %s', (_, state, is) => {
    expect(allowed(state).allowed).toBe(is)
  })

  it('is allowed after a refusal for its key, which the reason names', () => {
    const error = { rule: 'key_mismatch', message: 'no', at: 0, attempt: 1 }
    const refused = moved(states.sent(), asked.reject({ error }))
    expect(allowed(refused)).toEqual({
      allowed: true,
      reason: 'the service keeps another request under this key',
    })
    expect(allowed(states.refused()).reason).toBe('no attempt of it took effect')
    expect(allowed(states.prepared()).reason).not.toBe(allowed(states.waiting()).reason)
    expect(allowed(moved(states.confirmed(), asked.reopen())).reason).toMatch(/twice/)
  })
})

function settledEarly(): State {
  return following([asked.resolveNotExecuted({ early: true })], { evidence: [SEEN] }, states.lost())
}
