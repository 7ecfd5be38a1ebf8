import { expect, it } from 'vitest'
import { digestOf } from '../../src/core/digest.js'
import { keptResult, LARGEST_RESULT } from '../../src/core/kept-result.js'

it('keeps what JSON can hold, with the digest and the size of its canonical form', () => {
  const returned = { b: 1, a: [true, null, 'ü'], gone: undefined }
  const result = { b: 1, a: [true, null, 'ü'] }
  const bytes = Buffer.byteLength('{"a":[true,null,"ü"],"b":1}')
  expect(keptResult(returned)).toEqual({ result, result_digest: digestOf(result), bytes, left_out: null })
  expect(keptResult(null)).toEqual({ result: null, result_digest: digestOf(null), bytes: 4, left_out: null })
})

it('has nothing to keep of a handler that returned nothing', () => {
  expect(keptResult(undefined)).toEqual({ result: null, result_digest: null, bytes: 0, left_out: null })
})

it.each([
  [() => 1, 'JSON cannot hold a function'],
  [Symbol('x'), 'JSON cannot hold a symbol'],
  [1n, /^JSON cannot hold it: .*BigInt/],
  [cyclic(), /^JSON cannot hold it: .*circular/],
  [unwilling(new Error('not me')), 'JSON cannot hold it: not me'],
  [unwilling('not me'), 'JSON cannot hold it: unknown'],
])('says why it cannot be kept, and throws nothing (%#)', (returned, why) => {
  expect(keptResult(returned)).toEqual({
    result: null,
    result_digest: null,
    bytes: 0,
    left_out: expect.stringMatching(why),
  })
})

it('of the largest size is kept whole, of one byte more by its digest alone', () => {
  const whole = 'x'.repeat(LARGEST_RESULT - 2)
  expect(keptResult(whole)).toMatchObject({ result: whole, bytes: LARGEST_RESULT, left_out: null })
  const more = `${whole}x`
  expect(keptResult(more)).toEqual({
    result: null,
    result_digest: digestOf(more),
    bytes: LARGEST_RESULT + 1,
    left_out: `it has ${LARGEST_RESULT + 1} bytes, at most ${LARGEST_RESULT} are kept`,
  })
  expect(keptResult('ü'.repeat(LARGEST_RESULT / 2)).left_out).toMatch(/^it has/)
})

it('nested too deeply is kept by its digest', () => {
  let nested: unknown = 1
  for (let i = 0; i < 501; i += 1) nested = [nested]
  const kept = keptResult(nested)
  expect([kept.result, kept.left_out]).toEqual([null, 'it is nested more than 500 levels deep'])
  expect(kept.result_digest).not.toBeNull()
})

function cyclic(): object {
  const itself: Record<string, unknown> = {}
  itself.me = itself
  return itself
}

function unwilling(thrown: unknown): object {
  return {
    toJSON() {
      throw thrown
    },
  }
}
