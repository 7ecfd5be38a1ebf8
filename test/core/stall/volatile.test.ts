import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/core/json.js'
import { steadyInput, steadyResult } from '../../../src/core/stall/volatile.js'

const same = (a: JsonValue, b: JsonValue) =>
  JSON.stringify(steadyResult(a)) === JSON.stringify(steadyResult(b))

describe('answers', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['a date', 'at 2026-03-10T12:00:00Z', 'at 2026-03-11T09:30:01.5+02:00'],
    ['a date of a mail', 'Tue, 10 Mar 2026 12:00:00 GMT', 'Wed, 11 Mar 2026 13:01:02 GMT'],
    ['a time of day', 'at 12:00:00', 'at 9:30:01.25'],
    ['milliseconds since 1970', 'at 1773144000000', 'at 1773144000001'],
    ['a duration', 'took 3s', 'took 1.5 minutes'],
    ['an age', 'seen 3 s ago', 'seen 4 s ago'],
    ['the id of a request', 'request_id=ab1 done', 'request_id=cd2 done'],
    ['a member for a time', { updatedAt: 1, n: 1 }, { updatedAt: 2, n: 1 }],
    ['a member for a duration', { elapsed_ms: 1 }, { elapsed_ms: 2 }],
    ['a member deep inside', [{ items: [{ ts: 1 }] }], [{ items: [{ ts: 2 }] }]],
  ])('that differ by %s are the same', (_, one, other) => {
    expect(same(one, other)).toBe(true)
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['a number', 1, 2],
    ['a word', 'queued', 'done'],
    ['how far a download got', '15M of 200M', '16M of 200M'],
    ['that there is a time', 'seen 3s', 'seen'],
    ['what kind of time there is', 'x 12:00:00 y', 'x 3s y'],
    ['a list or an object', ['a'], { 0: 'a' }],
    ['nothing or an empty object', null, {}],
    ['a member that is there', { n: null }, {}],
  ])('that differ by %s are not', (_, one, other) => {
    expect(same(one, other)).toBe(false)
  })
})

describe('inputs', () => {
  it('are compared without what the agent thinks and without ids made anew', () => {
    const given = { query: 'disk', thought: 'perhaps', reasoning: 'so', trace_id: 't', nonce: 1 }
    expect(steadyInput(given)).toEqual({ query: 'disk' })
  })

  it.each<JsonValue>(['at 12:00:00', 7, null, true, ['thought'], { day: '2026-03-10T12:00:00Z' }])(
    'are compared as they are otherwise: %j',
    input => {
      expect(steadyInput(input)).toEqual(input)
    },
  )
})
