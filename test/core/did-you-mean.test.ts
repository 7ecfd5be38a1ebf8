import { describe, expect, it } from 'vitest'
import { didYouMean, nearest } from '../../src/core/did-you-mean.js'

const KNOWN = ['list', 'log', 'report', 'resolve', 'reopen', 'reconcile', 'release', 'record', 'revoke']

describe('what somebody meant', () => {
  it.each([
    ['lsit', ['list']],
    ['LIST', ['list']],
    ['lst', ['list']],
    ['lists', ['list']],
    ['repotr', ['report']],
    ['recrod', ['record']],
    ['reopt', ['reopen', 'report']],
    ['ab', []],
    ['', []],
  ])('by %s is %j', (typed, meant) => {
    expect(nearest(typed, KNOWN)).toEqual(meant)
  })

  it('is nearest first, then by name, and at most three', () => {
    expect(nearest('aaaaaa', ['aaaabb', 'aaaaab', 'aaaaba', 'aaabaa', 'zzzzzz'])).toEqual([
      'aaaaab',
      'aaaaba',
      'aaabaa',
    ])
    expect(nearest('abcdef', ['abcdxx', 'abcdex'])).toEqual(['abcdex', 'abcdxx'])
  })

  it('counts neighbours that changed places as one slip, at the beginning too', () => {
    expect(nearest('ba', ['ab'])).toEqual(['ab'])
    expect(nearest('acb', ['abc'])).toEqual(['abc'])
    expect(nearest('abc', ['cab'])).toEqual([])
    expect(nearest('xbay', ['xaby'])).toEqual(['xaby'])
  })

  it('may be one slip away in a short word, and a third of a longer one', () => {
    expect(nearest('a', ['b', 'ab', 'abc'])).toEqual(['ab', 'b'])
    expect(nearest('abcdxx', ['abcdef'])).toEqual(['abcdef'])
    expect(nearest('abcxxx', ['abcdef'])).toEqual([])
    expect(nearest('abcdefxxx', ['abcdef'])).toEqual(['abcdef'])
  })

  it('is not looked for among words that are much longer, or very long', () => {
    const long = 'x'.repeat(200)
    expect(nearest(long, [`${long.slice(1)}y`])).toEqual([`${long.slice(1)}y`])
    expect(nearest(`${long}x`, [long])).toEqual([])
    expect(nearest(long, [`${long}x`])).toEqual([])
    const word = 'x'.repeat(30)
    expect(nearest(word, [`${word}12345678`])).toEqual([`${word}12345678`])
    expect(nearest(word, [`${word}123456789`])).toEqual([])
  })
})

it('is said as a question, or not at all', () => {
  expect(didYouMean('lsit', KNOWN)).toBe(' (did you mean list?)')
  expect(didYouMean('ab', ['a', 'b'])).toBe(' (did you mean a or b?)')
  expect(didYouMean('qqq', KNOWN)).toBe('')
})
