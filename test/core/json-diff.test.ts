import { expect, it } from 'vitest'
import { changesOf, differencesOf, valuesByPath } from '../../src/core/json-diff.js'

it('finds nothing in equal values, however they are ordered', () => {
  expect(differencesOf({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toEqual([])
})

it.each([
  ['the value itself', 1, 2, [{ path: '', kind: 'changed' }]],
  ['another kind of value', { a: [] }, { a: {} }, [{ path: 'a', kind: 'changed' }]],
  ['null and nothing', { a: null }, {}, [{ path: 'a', kind: 'removed' }]],
  ['a deep one', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, [{ path: 'a[0].b', kind: 'changed' }]],
  ['a longer list', [1], [1, 2], [{ path: '[1]', kind: 'added' }]],
  ['a shorter list', { a: [1, 2] }, { a: [1] }, [{ path: 'a[1]', kind: 'removed' }]],
  ['an odd name', { 'a.b': 1 }, { 'a.b': 2 }, [{ path: '["a.b"]', kind: 'changed' }]],
  ['names of any script', { título: 1 }, { título: 2 }, [{ path: 'título', kind: 'changed' }]],
] as const)('names where two values differ: %s', (_, before, after, expected) => {
  expect(differencesOf(before, after)).toEqual(expected)
})

it('takes names of Object.prototype for what they are: names', () => {
  const before = JSON.parse('{"__proto__": 1, "constructor": 1}')
  expect(differencesOf(before, {}).map(({ path }) => path)).toEqual(['__proto__', 'constructor'])
})

it('names every value inside a value by the path that a difference would have', () => {
  const value = { a: [{ 'b c': 1 }], d: null }
  expect([...valuesByPath(value)]).toEqual([
    ['', value],
    ['a', [{ 'b c': 1 }]],
    ['a[0]', { 'b c': 1 }],
    ['a[0]["b c"]', 1],
    ['d', null],
  ])
  expect([...valuesByPath(7)]).toEqual([['', 7]])
})

it('tells with a difference what stands in either value', () => {
  expect(changesOf({ a: { b: 1 } }, { a: { b: null, c: [] } })).toEqual([
    { path: 'a.b', before: 1, after: null },
    { path: 'a.c', before: undefined, after: [] },
  ])
  expect(changesOf({ a: null }, { a: { b: 1 } })).toEqual([{ path: 'a', before: null, after: { b: 1 } }])
})
