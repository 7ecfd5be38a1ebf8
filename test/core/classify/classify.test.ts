import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { notExecuted } from '../../../src/core/classify/not-executed.js'
import { AMBIGUOUS_RULES, NOT_APPLIED_RULES } from '../../../src/core/classify/rules.js'

describe('a failure before the first byte', () => {
  it.each([
    ['host_not_found', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }],
    ['host_not_found', { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }],
    ['connect_refused', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['connect_refused', { code: 'ECONNREFUSED' }],
    ['connect_unreachable', { code: 'EHOSTUNREACH', syscall: 'connect' }],
    ['connect_unreachable', { code: 'ENETUNREACH', syscall: 'connect' }],
    ['connect_unreachable', { code: 'ENETDOWN', syscall: 'connect' }],
    ['connect_unreachable', { code: 'EHOSTDOWN', syscall: 'connect' }],
    ['connect_timeout', { code: 'UND_ERR_CONNECT_TIMEOUT' }],
    ['connect_timeout', { code: 'ETIMEDOUT', syscall: 'connect' }],
  ])('is not applied, by the rule %s', (rule, error) => {
    expect(classify(failure(error))).toMatchObject({ end: 'not_applied', rule })
  })

  it('is found in the cause, where fetch hides it', () => {
    const thrown = new TypeError('fetch failed', {
      cause: failure({ code: 'ECONNREFUSED', syscall: 'connect' }),
    })
    expect(classify(thrown)).toMatchObject({
      end: 'not_applied',
      rule: 'connect_refused',
      code: 'ECONNREFUSED',
      message: 'fetch failed: it failed',
    })
  })

  it('counts among several only when every one of them is definite', () => {
    const refused = failure({ code: 'ECONNREFUSED', syscall: 'connect', address: '::1' })
    const unreachable = failure({ code: 'ENETUNREACH', syscall: 'connect' })
    const reset = failure({ code: 'ECONNRESET', syscall: 'read' })
    const together = (...errors: Error[]) =>
      Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' })
    expect(classify(together(refused, unreachable))).toMatchObject({
      end: 'not_applied',
      rule: 'connect_refused',
    })
    expect(classify(together(refused, reset)).end).toBe('ambiguous')
    expect(classify(together()).end).toBe('ambiguous')
    expect(classify(together(...Array(17).fill(refused))).end).toBe('ambiguous')
    expect(classify(new TypeError('fetch failed', { cause: together(refused, unreachable) })).end).toBe(
      'not_applied',
    )
  })
})

describe('everything else is ambiguous', () => {
  it.each([
    ['an error without a code', new Error('ECONNREFUSED')],
    ['a refused datagram', failure({ code: 'ECONNREFUSED', syscall: 'recvmsg' })],
    ['a reset connection', failure({ code: 'ECONNRESET', syscall: 'read' })],
    ['a broken pipe', failure({ code: 'EPIPE', syscall: 'write' })],
    ['an answer that never came', failure({ code: 'UND_ERR_HEADERS_TIMEOUT' })],
    ['a socket that ended', failure({ code: 'UND_ERR_SOCKET' })],
    ['a time-out on an open connection', failure({ code: 'ETIMEDOUT', syscall: 'read' })],
    ['an unreachable host on an open connection', failure({ code: 'EHOSTUNREACH', syscall: 'write' })],
    ['wording that sounds definite', new Error('was not executed, please try again')],
    ['an error that only calls itself so', Object.assign(new Error('x'), { name: 'NotExecuted' })],
    ['a wrapper with a code of its own', failure({ code: 'ERR_APP' }, failure({ code: 'ECONNREFUSED' }))],
    ['a reset around a refusal', failure({ code: 'ECONNRESET' }, failure({ code: 'ECONNREFUSED' }))],
    ['a cause without end', endless()],
    ['a lower-case code', failure({ code: 'enotfound' })],
  ])('%s', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({ end: 'ambiguous', rule: 'thrown' })
  })

  it('an abort or a time-out by its own rule', () => {
    expect(classify(new DOMException('x', 'AbortError'))).toMatchObject({ end: 'ambiguous', rule: 'aborted' })
    expect(classify(AbortSignal.timeout(0).reason ?? new DOMException('x', 'TimeoutError'))).toMatchObject({
      end: 'ambiguous',
      rule: 'aborted',
    })
  })
})

describe('notExecuted()', () => {
  it('is definite, wrapped by a framework too, with its reason', () => {
    const said = notExecuted('over quota')
    expect(classify(said)).toMatchObject({
      end: 'not_applied',
      rule: 'said_not_executed',
      message: 'over quota',
    })
    expect(classify(new Error('node failed', { cause: said }))).toMatchObject({ end: 'not_applied' })
  })

  it('is known by its mark, from another copy of the package too', () => {
    const mark = Symbol.for('agent-ledger/not-executed')
    expect(classify(Object.assign(new Error('x'), { [mark]: true })).end).toBe('not_applied')
    expect(classify({ [mark]: true }).end).toBe('ambiguous')
  })
})

it('gives every rule an id of its own, a title and a reason', () => {
  const rules = [...NOT_APPLIED_RULES, ...AMBIGUOUS_RULES]
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, title, reason } of rules)
    expect([id, title, reason].every(text => text.length > 3)).toBe(true)
})

function failure(over: object, cause?: unknown): Error {
  return Object.assign(new Error('it failed', cause === undefined ? undefined : { cause }), over)
}

function endless(): Error {
  const error = new Error('ring')
  error.cause = error
  return error
}
