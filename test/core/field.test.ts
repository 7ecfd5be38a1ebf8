import { describe, expect, it } from 'vitest'
import { fieldOf, someText, valueAt } from '../../src/core/field.js'

const hostile = Object.defineProperty({}, 'a', {
  get: () => {
    throw new Error('no')
  },
})

describe('a member of somebody else’s value', () => {
  it.each<[unknown, unknown]>([
    [{ a: 1 }, 1],
    [Object.assign(() => 1, { a: 2 }), 2],
    [Object.create({ a: 3 }), 3],
    [{}, undefined],
    [null, undefined],
    [undefined, undefined],
    ['a', undefined],
    [hostile, undefined],
  ])('is read without throwing (%#)', (value, read) => {
    expect(fieldOf(value, 'a')).toBe(read)
  })

  it('of a text is none, though texts have members', () => {
    expect(fieldOf('abc', 'length')).toBeUndefined()
  })

  it.each<[string, unknown]>([
    ['a', { b: [{ c: 1 }] }],
    ['a.b.0.c', 1],
    ['a.b.1.c', undefined],
    ['a.b.0.c.d', undefined],
    ['n', null],
    ['n.a', undefined],
    ['a.constructor', undefined],
    ['', undefined],
  ])('stands at %s', (path, read) => {
    expect(valueAt({ a: { b: [{ c: 1 }] }, n: null }, path)).toEqual(read)
  })

  it('is text where it says something', () => {
    expect(['a', '', 7, null, undefined].map(someText)).toEqual(['a', null, null, null, null])
  })
})
