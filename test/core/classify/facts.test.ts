import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { factsOf } from '../../../src/core/classify/facts.js'
import { failure } from './support/thrown.js'

const no = () => {
  throw new Error('no')
}

describe('the message of a failure', () => {
  it.each<[string, unknown, string]>([
    ['the words of the error', new Error('it broke'), 'it broke'],
    ['that there are none', new Error(''), 'an error without a message'],
    ['a text that was thrown', 'no', 'a thrown string: no'],
    ['a number that was thrown', 7, 'a thrown number: 7'],
    ['that nothing was thrown', undefined, 'a thrown undefined: undefined'],
    ['a null that was thrown', null, 'a thrown object: null'],
    ['an object that was thrown', { a: 1 }, 'a thrown object: {"a":1}'],
    ['that it cannot be shown', { toJSON: no }, 'a thrown value that cannot be shown'],
    ['that a symbol was thrown', Symbol('x'), 'a thrown symbol: Symbol(x)'],
    ['no NUL', new Error('a\0b'), 'a␀b'],
    ['no half of a character', new Error('a\ud800'), 'a\ufffd'],
    ['all of 2,000 characters', new Error('x'.repeat(2_000)), 'x'.repeat(2_000)],
    ['no more than that', new Error('x'.repeat(2_001)), `${'x'.repeat(2_000)}… (2001 characters)`],
    ['what a Response answered', new Response(null, { status: 418 }), 'answered 418'],
    ['its words beside it', new Response(null, { status: 418, statusText: 'Teapot' }), 'answered 418 Teapot'],
  ])('tells %s', (_, thrown, message) => {
    expect(classify(thrown).message).toBe(message)
  })

  it('tells the outer error and the one that names a code, each once', () => {
    const inner = failure({ code: 'ENOTFOUND', message: 'no such host' })
    expect(classify(new Error('fetch failed', { cause: inner })).message).toBe('fetch failed: no such host')
    expect(classify(new Error('no such host', { cause: inner })).message).toBe('no such host')
    expect(classify(failure({ code: 'X' }, inner)).message).toBe('it failed')
    const answer = failure({ response: { status: 500 }, message: 'answered 500' }, inner)
    expect(classify(new Error('the node failed', { cause: answer })).message).toBe(
      'the node failed: answered 500',
    )
    const several = new AggregateError([failure({ message: 'first' }), inner], 'all failed')
    expect(classify(several).message).toBe('all failed: first')
  })
})

describe('what is told beside it', () => {
  it('is the host that was named or the address, of the error or of its cause', () => {
    expect(classify(failure({ hostname: 'api.example', address: '::1' })).host).toBe('api.example')
    expect(classify(failure({ address: '::1' })).host).toBe('::1')
    expect(classify(failure({}, failure({ code: 'X', hostname: 'inner.example' }))).host).toBe(
      'inner.example',
    )
    const both = failure({ hostname: 'outer.example' }, failure({ code: 'X', hostname: 'inner.example' }))
    expect(classify(both).host).toBe('outer.example')
    expect(classify(failure({ hostname: '' })).host).toBeNull()
  })

  it('is the code and the status, of the error or of its cause', () => {
    expect(classify(failure({}, failure({ code: 'EPIPE' }))).code).toBe('EPIPE')
    expect(classify(failure({ code: 'OUTER' }, failure({ code: 'EPIPE' }))).code).toBe('OUTER')
    expect(classify(failure({ code: 7 })).code).toBeNull()
    expect(classify(failure({}, failure({ response: { status: 503 } }))).status).toBe(503)
    const both = failure({ response: { status: 500 } }, failure({ response: { status: 400 } }))
    expect(classify(both).status).toBe(500)
  })

  it('is the name of the error, or what kind of value it was', () => {
    expect(factsOf(failure({ name: '' })).name).toBe('Error')
    expect(factsOf(new TypeError('x')).name).toBe('TypeError')
    expect(factsOf('x').name).toBe('string')
    expect(factsOf(new Response()).name).toBe('Response')
  })

  it.each([
    [5, 5],
    [0, 0],
    [1.5, null],
    ['5', null],
  ])('is a count of bytes where it is a whole number (%j)', (bytesWritten, read) => {
    expect(factsOf(failure({ socket: { bytesWritten } })).bytesWritten).toBe(read)
  })
})

describe('a cause', () => {
  const nested = (depth: number): Error =>
    depth === 0
      ? failure({ code: 'ECONNREFUSED', syscall: 'connect' })
      : new Error('x', { cause: nested(depth - 1) })

  it('is read four deep and no further, so what is below that proves nothing', () => {
    expect(classify(nested(4)).end).toBe('not_applied')
    expect(classify(nested(5)).end).toBe('ambiguous')
  })

  it('that is null is none', () => {
    expect(factsOf(new Error('x', { cause: null })).cause).toBeNull()
  })
})

describe('several errors at once', () => {
  const refused = (over: object = {}) => failure({ code: 'ECONNREFUSED', syscall: 'connect', ...over })
  const certificate = failure({ code: 'CERT_HAS_EXPIRED' })

  it('may come again at once only where every one of them may', () => {
    expect(classify(new AggregateError([refused(), refused()])).retryable).toBe(true)
    expect(classify(new AggregateError([refused(), certificate])).retryable).toBe(false)
  })

  it('are read where they are sixteen, and four deep', () => {
    const within = (depth: number): Error =>
      depth === 0 ? refused() : new AggregateError([within(depth - 1)])
    expect(classify(new AggregateError(Array(16).fill(refused()))).end).toBe('not_applied')
    expect(classify(new AggregateError(Array(17).fill(refused()))).end).toBe('ambiguous')
    expect(classify(within(4)).end).toBe('not_applied')
    expect(classify(within(5)).end).toBe('ambiguous')
  })

  it('beside an answer say nothing: the answer does', () => {
    const both = failure({ response: { status: 500 }, errors: [refused()] })
    expect(classify(both)).toMatchObject({ end: 'ambiguous', rule: 'server_error' })
  })
})

describe('a reset before the connection was secure', () => {
  const SEEN = { code: 'ECONNRESET', host: 'a', port: 443, localAddress: undefined }

  it.each<[string, unknown]>([
    ['another code', { ...SEEN, code: 'X' }],
    ['no host', { ...SEEN, host: undefined, code: 'ECONNRESET' }],
    ['a system call', { ...SEEN, syscall: 'read' }],
  ])('is told from one with %s', (_, over) => {
    const given = Object.assign(new Error('x'), over)
    if (Reflect.get(given, 'host') === undefined) Reflect.deleteProperty(given, 'host')
    expect(classify(given).rule).not.toBe('tls_cut')
    expect(classify(failure(SEEN)).rule).toBe('tls_cut')
  })

  it.each(['host', 'port', 'localAddress'])('names its %s', name => {
    const given = failure(SEEN)
    Reflect.deleteProperty(given, name)
    expect(classify(given).rule).toBe('connection_lost')
  })
})

it('a value that cannot be shown is read for the rest', () => {
  expect(classify({ code: 'ENOTFOUND', toJSON: no })).toMatchObject({
    rule: 'host_not_found',
    message: 'a thrown value that cannot be shown',
  })
})

it('a value that answers no question says nothing', () => {
  const trap = new Proxy(new Error('x'), { get: no, getPrototypeOf: no, has: no })
  expect(classify(trap)).toMatchObject({
    end: 'ambiguous',
    rule: 'thrown',
    message: 'a thrown value that cannot be shown',
  })
})
