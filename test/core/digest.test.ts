import { expect, it } from 'vitest'
import { canonicalize, digestOf } from '../../src/core/digest.js'

it('writes RFC 8785: names sorted by UTF-16 units, numbers as ECMAScript writes them, no blanks', () => {
  // the example of RFC 8785, section 3.2.2
  const value = {
    numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  expect(canonicalize(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

it.each([
  ['half of a surrogate pair', '\ud800'],
  ['one in a name', { '\udfff': 1 }],
  ['one after a backslash', 'a\\\ud800'],
  ['a cycle', cyclic()],
  ['NaN', [Number.NaN]],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a BigInt', { n: 1n }],
  ['undefined', undefined],
  ['a function', () => 1],
])('refuses what JSON cannot hold: %s', (_, value) => {
  expect(() => canonicalize(value)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})

it('takes a text that only looks like an escape for what it is', () => {
  const text = 'C:\\udata \\ud800 \\\\ud800 😀'
  expect(JSON.parse(canonicalize(text))).toBe(text)
})

it('is the SHA-256 of those bytes, written with its name', () => {
  expect(digestOf(null)).toBe('sha256:74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b')
})

function cyclic(): object {
  const ring: Record<string, unknown> = {}
  ring.self = ring
  return ring
}
