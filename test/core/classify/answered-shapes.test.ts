import { describe, expect, it } from 'vitest'
import { headersOf, isResponseLike, readBody, responseIn } from '../../../src/core/classify/response-facts.js'
import { failure } from './support/thrown.js'

const no = () => {
  throw new Error('no')
}

describe('headers', () => {
  it.each<[string, unknown, object]>([
    ['Headers', new Headers({ 'X-A': '1' }), { 'x-a': '1' }],
    ['a Map', new Map([['X-A', '1']]), { 'x-a': '1' }],
    ['a plain object', { 'X-A': '1' }, { 'x-a': '1' }],
    ['several of a name', { 'x-a': ['1', '2'] }, { 'x-a': '1, 2' }],
    ['numbers', { 'x-a': 7 }, { 'x-a': '7' }],
    ['anything else', { 'x-a': true, 'x-b': null, 'x-c': {}, 'x-d': 'd' }, { 'x-d': 'd' }],
    [
      'names that are no text',
      new Map<unknown, unknown>([
        [7, '1'],
        ['b', '2'],
      ]),
      { b: '2' },
    ],
    ['nothing', undefined, {}],
    ['a null', null, {}],
    ['a text', 'x-a: 1', {}],
    ['a function', Object.assign(() => 1, { a: '1' }), {}],
    ['what throws', { entries: no }, {}],
  ])('are read from %s', (_, headers, read) => {
    expect({ ...headersOf(headers) }).toEqual(read)
  })

  it('are read in bounds: 200 of them, 4,000 characters each', () => {
    const many = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`x-${n}`, '1']))
    expect(Object.keys(headersOf(many))).toHaveLength(200)
    expect(headersOf({ a: 'x'.repeat(4_001) }).a).toHaveLength(4_000)
  })

  it('hold no name that every object has', () => {
    expect(headersOf({}).constructor).toBeUndefined()
  })
})

describe('a status', () => {
  it.each([
    [100, 100],
    [599, 599],
    [99, null],
    [600, null],
    [200.5, null],
    ['200', null],
    [undefined, null],
  ])('%j is read as %s', (status, read) => {
    expect(responseIn({ response: { status } })?.status ?? null).toBe(read)
    expect(responseIn({ statusCode: status, headers: {} })?.status ?? null).toBe(read)
    expect(responseIn({ $metadata: { httpStatusCode: status } })?.status ?? null).toBe(read)
  })

  it('on the error itself counts only beside headers', () => {
    for (const headers of [undefined, null, 'x'])
      expect(responseIn(failure({ status: 400, headers }))).toBeNull()
    expect(responseIn(failure({ headers: {} }))).toBeNull()
  })

  it('of the AWS SDK has its headers beside it, and the error itself for a body', () => {
    const thrown = failure({ $metadata: { httpStatusCode: 400 }, $response: { headers: { 'X-A': '1' } } })
    const read = responseIn(thrown)
    expect({ ...read?.headers }).toEqual({ 'x-a': '1' })
    expect(read?.body).toBe(thrown)
  })
})

describe('a Response', () => {
  const REAL = { status: 200, ok: true, headers: { get: no }, text: no }

  it('is known by what it can do, of any realm', () => {
    expect(isResponseLike(new Response())).toBe(true)
    expect(isResponseLike(REAL)).toBe(true)
  })

  it.each([
    ['a status', { status: 7 }],
    ['a word on its success', { ok: 'true' }],
    ['headers to ask', { headers: { get: 'x' } }],
    ['a body to read', { text: 'x' }],
  ])('is nothing without %s', (_, over) => {
    expect(isResponseLike({ ...REAL, ...over })).toBe(false)
  })
})

describe('a body', () => {
  class Stream {}

  it.each<[string, unknown, unknown]>([
    ['JSON that was read', { a: 1 }, { a: 1 }],
    ['a list that was read', [1], [1]],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['JSON as text', ' {"a":1}', { a: 1 }],
    ['a list as text', '[1]', [1]],
    ['a stream', new Stream(), null],
    ['bytes', new Uint8Array(1), null],
    ['a word', 'done', null],
    ['a word before JSON', 'done {"a":1}', null],
    ['half of JSON', '{"a":', null],
    ['a number as text', '7', null],
    ['a number', 7, null],
    ['an empty text', '', null],
    ['nothing', null, null],
    ['what throws', new Proxy({}, { getPrototypeOf: no }), null],
  ])('is read from %s', (_, body, read) => {
    expect(readBody(body)).toEqual(read)
  })

  it('as text is looked into up to 65,536 characters', () => {
    const long = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
    expect(readBody(long(65_536))).not.toBeNull()
    expect(readBody(long(65_537))).toBeNull()
  })

  it.each(['data', 'body', 'raw', 'error'])('is found as the %s of an answer', name => {
    expect(responseIn({ response: { status: 400, [name]: { a: 1 } } })?.body).toEqual({ a: 1 })
  })

  it('is the first of them that was read', () => {
    expect(
      responseIn({ response: { status: 400, data: 'x', body: { a: 1 }, error: { a: 2 } } })?.body,
    ).toEqual({
      a: 1,
    })
    expect(responseIn({ response: { status: 400 } })?.body).toBeNull()
  })
})
