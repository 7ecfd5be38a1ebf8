import { expect, it } from 'vitest'
import { parseForeignJson, parseWholeJson } from '../../src/core/parse-json.js'

it.each([
  ['an object', '{"a":[1,2.5,-3e2]}', { a: [1, 2.5, -300] }],
  ['the largest whole number', '9007199254740991', 9007199254740991],
  ['digits in a text', '{"id":"12345678901234567890"}', { id: '12345678901234567890' }],
  ['digits in a text after an escaped quote', '"\\" 12345678901234567890"', '" 12345678901234567890'],
  ['many levels', '['.repeat(500) + ']'.repeat(500), JSON.parse('['.repeat(500) + ']'.repeat(500))],
  [
    'brackets in a text',
    `"${'['.repeat(2_000)}\\"${'{'.repeat(2_000)}"`,
    `${'['.repeat(2_000)}"${'{'.repeat(2_000)}`,
  ],
  ['many lists beside each other', `[${'[],'.repeat(2_000)}1]`, [...Array(2_000).fill([]), 1]],
  ['a fraction of many digits', '0.12345678901234567890', 0.12345678901234568],
])('reads %s', (_, text, value) => {
  expect(parseWholeJson(text, 'stdin')).toEqual(value)
})

it.each([
  ['a whole number beyond 2^53', '{"a":9007199254740993}', /9007199254740993 has more digits/],
  ['a negative one', '[-12345678901234567890]', /-12345678901234567890 has more digits/],
  ['no JSON', '{a:1}', /stdin is no JSON/],
  [
    'more levels than a ledger keeps',
    `${'['.repeat(501)}${']'.repeat(501)}`,
    /stdin: it is nested more than 500/,
  ],
  ['nothing', ' \n', /stdin is empty/],
])('refuses %s', (_, text, message) => {
  expect(() => parseWholeJson(text, 'stdin')).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
  )
})

it.each([
  [
    'a whole number beyond 2^53 as text',
    '{"id":12345678901234567890,"n":[-9007199254740993]}',
    { id: '12345678901234567890', n: ['-9007199254740993'] },
  ],
  ['the largest whole number as it is', '[9007199254740991]', [9007199254740991]],
  ['a fraction of many digits as it is', '[0.12345678901234567890]', [0.12345678901234568]],
  [
    'digits in a text as they are',
    '{"a":"x \\" 12345678901234567890","b":1}',
    { a: 'x " 12345678901234567890', b: 1 },
  ],
  ['null', 'null', null],
  ['no JSON as undefined', '{a: 12345678901234567890}', undefined],
])('reads of another program %s', (_, text, value) => {
  expect(parseForeignJson(text)).toEqual(value)
})

it('reads beside a text of many megabytes', () => {
  const long = '\\"x'.repeat(8 << 20)
  const text = `{"id":12345678901234567890,"body":"${long}"}`
  expect(parseForeignJson(text)).toEqual({ id: '12345678901234567890', body: '"x'.repeat(8 << 20) })
  expect(() => parseWholeJson(text, 'stdin')).toThrow('12345678901234567890 has more digits')
})

it('passes over a byte order mark before the JSON, and over none inside', () => {
  expect(parseWholeJson('\ufeff{"a":1}', 'stdin')).toEqual({ a: 1 })
  expect(() => parseWholeJson('{\ufeff"a":1}', 'stdin')).toThrow('stdin is no JSON')
})
