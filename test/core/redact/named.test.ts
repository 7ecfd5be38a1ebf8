import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/core/json.js'
import { SECRET_NAMES } from '../../../src/core/redact/names.js'
import { isProse } from '../../../src/core/redact/prose.js'
import { createRedactor } from '../../../src/core/redact/redact.js'

const text = (said: string, names: readonly string[] = []) => createRedactor(names).text(said)
const value = (given: JsonValue, names: readonly string[] = []) => createRedactor(names).value(given)

describe('the name of a secret', () => {
  it.each([
    ['AWS_SECRET_ACCESS_KEY=abc', 'AWS_SECRET_ACCESS_KEY=[masked secret_access_key]'],
    ['secret_key=abc', 'secret_key=[masked secret_key]'],
    ['api   key=abc', 'api   key=[masked api_key]'],
    ['api.key=abc', 'api.key=[masked api_key]'],
    ['apikey=abc', 'apikey=[masked api_key]'],
    ['API-KEY=abc', 'API-KEY=[masked api_key]'],
    ['api    key=abc', 'api    key=abc'],
    ['api_token_url=abc', 'api_token_url=abc'],
    ['next_page_token=abc', 'next_page_token=abc'],
    ['Continuation-Token: abc1', 'Continuation-Token: abc1'],
  ])('is known in each spelling, the longest first: %s', (said, shown) => {
    expect(text(said)).toBe(shown)
  })

  // The quick look is made of fewer and shorter patterns than those that mask: it must pass none of these over.
  it.each(SECRET_NAMES)('is not passed over in any spelling: $name', ({ name }) => {
    for (const between of ['', '_', '-', '.', ' ', ' - ']) {
      const spelled = name.split(/[_\-. ]+/).join(between)
      for (const cased of [spelled, spelled.toUpperCase()])
        expect(text(`${cased}: "x7Qp-81zz"`), cased).toContain('[masked ')
    }
  })

  it('of the configuration is taken as it is written, and one that says nothing is left out', () => {
    expect(text('cost+tax=7; costxtax=7', ['cost+tax'])).toBe('cost+tax=[masked cost+tax]; costxtax=7')
    expect(text('kundennummer=7', ['__Kunden..Nummer_'])).toBe('kundennummer=[masked __Kunden..Nummer_]')
    expect(text('a=7', ['', '_', ' . '])).toBe('a=7')
    const [short, long] = ['number', 'customer number']
    expect(text('customer_number=7', [short, long])).toBe('customer_number=[masked customer number]')
    expect(value({ customerNumber: 7 }, [short, long])).toEqual({
      customerNumber: '[masked customer number]',
    })
    expect(value({ a: 7, '': 8 }, ['', '_'])).toEqual({ a: 7, '': 8 })
  })
})

describe('what stands after it', () => {
  it.each([
    ['token: expired', 'token: expired'],
    ['token: fifteen-letters', 'token: fifteen-letters'],
    ['token: sixteen-letters!', 'token: [masked token]'],
    ['token: abc1', 'token: [masked token]'],
    ['token=expired', 'token=[masked token]'],
    ['token => expired', 'token => [masked token]'],
    ['"token": "expired"', '"token": "[masked token]"'],
    ['credential: refresh it', 'credential: refresh it'],
    ['api_key: refresh', 'api_key: [masked api_key]'],
    ['secret:not', 'secret:[masked secret]'],
    ['secret:\tnot found', 'secret:\tnot found'],
    ['secret :not', 'secret :[masked secret]'],
    ['--PASSWORD x --db-password y', '--PASSWORD [masked password] --db-password [masked password]'],
    [`npm_${'a1'.repeat(20)} npm_${'b2'.repeat(20)}`, '[masked npm-token] [masked npm-token]'],
    ["password='a b' c", "password='[masked password]' c"],
    ["password=it's", "password=[masked password]'s"],
    ['{\\"token\\": \\"a\\"}', '{\\"token\\": \\"[masked token]\\"}'],
    ['Authorization: not found ', 'Authorization: not found '],
    ['Authorization: missing, or expired', 'Authorization: missing, or expired'],
    ['Authorization: Digest abc, def', 'Authorization: [masked authorization]'],
    ['authorization : abc', 'authorization : [masked authorization]'],
    ['COOKIE: a=b\r\nHost: c', 'COOKIE: [masked cookie]\r\nHost: c'],
    ['--password x --verbose', '--password [masked password] --verbose'],
    ['-password x', '-password [masked password]'],
    ['--db-password\tx', '--db-password\t[masked password]'],
    ['--password --verbose', '--password --verbose'],
    ['a--password x', 'a--password x'],
  ])('is read as data or as a sentence: %s', (said, shown) => {
    expect(text(said)).toBe(shown)
  })

  it.each([
    ['not found', true],
    ['Not found.', true],
    ['not   found', true],
    ['not, found', true],
    [' not found ', true],
    ['expired!', true],
    ['it is:', true],
    ['not,', true],
    ['.not', false],
    ['not,found', false],
    [',', false],
    ['no.t', false],
    ['not hunter', false],
    ['', false],
  ])('is a sentence where each word of it says how something stands: %j %s', (said, is) => {
    expect(isProse(said)).toBe(is)
  })
})

describe('a list', () => {
  it.each<[JsonValue, JsonValue]>([
    [
      ['--password', 'x'],
      ['--password', '[masked password]'],
    ],
    [
      ['-token', 'x'],
      ['-token', '[masked token]'],
    ],
    [
      ['Cookie', 'x'],
      ['Cookie', '[masked cookie]'],
    ],
    [
      ['--password', 7],
      ['--password', 7],
    ],
    [
      ['--password', ['x']],
      ['--password', ['x']],
    ],
    [
      ['the password', 'x'],
      ['the password', 'x'],
    ],
    [
      ['say --password', 'x'],
      ['say --password', 'x'],
    ],
    [
      ['--my password', 'x'],
      ['--my password', 'x'],
    ],
    [
      ['password', 'x'],
      ['password', 'x'],
    ],
    [
      [7, 'x'],
      [7, 'x'],
    ],
  ])('names a secret in the item before it: %j', (given, shown) => {
    expect(value(given)).toEqual(shown)
  })
})

describe('what is nested', () => {
  const nested = (depth: number, wrap: (inner: JsonValue) => JsonValue): JsonValue => {
    let inner: JsonValue = 'x'
    for (let i = 0; i < depth; i++) inner = wrap(inner)
    return inner
  }

  it.each<[string, (inner: JsonValue) => JsonValue]>([
    ['lists', inner => [inner]],
    ['objects', inner => ({ a: inner })],
  ])('is shown 501 %s deep, and no deeper', (_, wrap) => {
    expect(JSON.stringify(value(nested(501, wrap)))).toBe(JSON.stringify(nested(501, wrap)))
    expect(JSON.stringify(value(nested(502, wrap)))).toContain('[nested too deeply to show]')
  })

  it('under the name of a secret keeps its shape up to 501 objects, and shows nothing of more', () => {
    const many = (count: number) => value({ secret: Array.from({ length: count }, () => ['x']) })
    const masked = '[masked secret]'
    expect(many(500)).toEqual({ secret: Array(500).fill([masked]) })
    expect(many(501)).toEqual({ secret: [...Array(500).fill([masked]), masked] })
  })
})
