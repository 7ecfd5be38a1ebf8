import { describe, expect, it } from 'vitest'
import { newKeyAllowed } from '../../src/core/new-key.js'
import type { State } from '../../src/core/transitions/requests.js'
import { asked, following, moved, SEEN } from './builders.js'
import { states } from './transitions/cases.js'

function allowed({ operation, attempts }: State) {
  return newKeyAllowed(operation, attempts)
}

describe('another key for the same write', () => {
  it.each<[string, State, boolean, string]>([
    [
      'confirmed',
      states.confirmed(),
      true,
      'it is settled as confirmed: whoever wants it once more makes another operation',
    ],
    ['certainly refused', states.refused(), true, 'no attempt of it took effect'],
    ['cancelled and never sent', states.cancelled(), true, 'nothing of it was ever sent'],
    ['lost', states.lost(), false, 'it may have taken effect: under a new key the service could do it twice'],
    [
      'in flight',
      states.sent(),
      false,
      'it may have taken effect: under a new key the service could do it twice',
    ],
    ['prepared', states.prepared(), false, 'its key was never used: it is sent with that one'],
    ['waiting for a retry', states.waiting(), false, 'it is to be sent again with its own key'],
    ['prepared again in doubt', states.preparedInDoubt(), false, 'it is to be sent again with its own key'],
    ['abandoned', states.abandoned(), false, 'nobody knows whether it took effect'],
    [
      'reopened',
      moved(states.confirmed(), asked.reopen()),
      false,
      'it may have taken effect: under a new key the service could do it twice',
    ],
    [
      'settled too early by a person',
      settledEarly(),
      false,
      'a person settled it before it had run out of time to arrive',
    ],
  ])('where it is %s', (_, state, is, reason) => {
    expect(allowed(state)).toEqual({ allowed: is, reason })
  })

  it('waits for the evidence where that alone is in doubt', () => {
    const { operation } = states.lost()
    expect(newKeyAllowed(operation, states.refused().attempts).reason).toBe(
      'evidence is in doubt: under a new key the service could do it twice',
    )
  })

  it('is allowed after a refusal for its key, which the reason names', () => {
    const error = { rule: 'key_mismatch', message: 'no', at: 0, attempt: 1 }
    const refused = moved(states.sent(), asked.reject({ error }))
    expect(allowed(refused)).toEqual({
      allowed: true,
      reason: 'the service keeps another request under this key',
    })
    const [attempt] = refused.attempts
    if (attempt === undefined) throw new Error('it was sent')
    const other = { ...attempt, n: 2, error: null }
    expect(newKeyAllowed(refused.operation, [attempt, other]).reason).toBe(
      'the service keeps another request under this key',
    )
  })
})

function settledEarly(): State {
  return following([asked.resolveNotExecuted({ early: true })], { evidence: [SEEN] }, states.lost())
}
