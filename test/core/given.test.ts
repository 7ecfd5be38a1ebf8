import { describe, expect, it } from 'vitest'
import { LedgerError } from '../../src/core/errors.js'
import {
  type Check,
  checkFields,
  isAny,
  isObject,
  isOneOf,
  isSomeText,
  isText,
  isTextList,
  isTime,
  isWhole,
} from '../../src/core/given.js'

const NUL = 'a\0b'
const LONE = 'a\ud800'
const UNFIT_TEXT = 'must be well-formed text without NUL'

describe('a check', () => {
  it.each<[string, Check, unknown, string | null]>([
    ['text', isText, 'a', null],
    ['text', isText, '', null],
    ['text', isText, NUL, UNFIT_TEXT],
    ['text', isText, LONE, UNFIT_TEXT],
    ['text', isText, 7, UNFIT_TEXT],
    ['some text', isSomeText, 'a', null],
    ['some text', isSomeText, '', 'is empty'],
    ['some text', isSomeText, NUL, UNFIT_TEXT],
    ['anything', isAny, undefined, null],
    ['an object', isObject, {}, null],
    ['an object', isObject, [], 'must be an object'],
    ['an object', isObject, null, 'must be an object'],
    ['an object', isObject, 'a', 'must be an object'],
    ['a list of texts', isTextList, [], null],
    ['a list of texts', isTextList, ['a', 'b'], null],
    ['a list of texts', isTextList, ['a', 7], 'must be a list of texts'],
    ['a list of texts', isTextList, 'a', 'must be a list of texts'],
    ['a moment', isTime, 0, null],
    ['a moment', isTime, 8.64e15, null],
    ['a moment', isTime, -8.64e15, null],
    ['a moment', isTime, 8.64e15 + 1, 'must be integer milliseconds since 1970 UTC'],
    ['a moment', isTime, 1.5, 'must be integer milliseconds since 1970 UTC'],
    ['a moment', isTime, '0', 'must be integer milliseconds since 1970 UTC'],
    ['a whole number', isWhole(1, 3), 1, null],
    ['a whole number', isWhole(1, 3), 3, null],
    ['a whole number', isWhole(1, 3), 0, 'must be a whole number from 1 to 3'],
    ['a whole number', isWhole(1, 3), 4, 'must be a whole number from 1 to 3'],
    ['a whole number', isWhole(1, 3), 1.5, 'must be a whole number from 1 to 3'],
    ['a whole number', isWhole(1, 3), '2', 'must be a whole number from 1 to 3'],
    ['one of several words', isOneOf(['a', 'b']), 'b', null],
    ['one of several words', isOneOf(['a', 'b']), 'c', 'must be one of a, b'],
  ])('for %s', (_, check, value, problem) => {
    expect(check(value)).toBe(problem)
  })
})

describe('an object that a program gives', () => {
  const fields = { name: isText, count: isWhole(0, 9) }
  const refusalOf = (given: unknown, required?: readonly string[]) => {
    try {
      checkFields(given, { fields, what: 'a call', ...(required === undefined ? {} : { required }) })
      return null
    } catch (error) {
      return error instanceof LedgerError ? [error.code, error.message, error.path] : error
    }
  }

  it.each<[unknown, readonly string[] | undefined, unknown]>([
    [{}, undefined, null],
    [{ name: 'a', count: 1 }, ['name', 'count'], null],
    [{ name: undefined }, undefined, null],
    [{ count: 1 }, ['name'], ['invalid_input', 'a call: "name" is missing', 'name']],
    [{ name: undefined }, ['name'], ['invalid_input', 'a call: "name" is missing', 'name']],
    [{ count: 10 }, [], ['invalid_input', 'a call: "count" must be a whole number from 0 to 9', 'count']],
    [
      { nmae: 'a' },
      [],
      ['invalid_input', 'a call: "nmae" means nothing here; known are name, count', 'nmae'],
    ],
    [
      { constructor: 1 },
      [],
      ['invalid_input', 'a call: "constructor" means nothing here; known are name, count', 'constructor'],
    ],
    [null, [], ['invalid_input', 'a call: an object is wanted', '']],
    [[], [], ['invalid_input', 'a call: an object is wanted', '']],
    ['x', [], ['invalid_input', 'a call: an object is wanted', '']],
  ])('%j, of which %j must be there', (given, required, refusal) => {
    expect(refusalOf(given, required)).toEqual(refusal)
  })
})
