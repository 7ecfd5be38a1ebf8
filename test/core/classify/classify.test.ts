import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { factsOf } from '../../../src/core/classify/facts.js'
import { notExecuted } from '../../../src/core/classify/not-executed.js'
import { RULES, RULES_AROUND } from '../../../src/core/classify/rules.js'
import { failure } from './support/thrown.js'

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
    ['connect_failed', { code: 'ECONNRESET', syscall: 'connect' }],
    // nodemailer calls every failure of its socket so
    ['connect_failed', { code: 'ESOCKET', syscall: 'connect', command: 'CONN' }],
    ['proxy_failed', { code: 'UND_ERR_PRX_TLS' }],
    ['proxy_failed', { code: 'UND_ERR_PRX_CONN' }],
    ['tls_cut', { code: 'ECONNRESET', path: null, host: 'a', port: 443, localAddress: undefined }],
    ['tls_refused', { code: 'CERT_HAS_EXPIRED' }],
    ['tls_refused', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
    ['tls_refused', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
    ['tls_refused', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
    ['tls_refused', { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }],
    ['tls_refused', { code: 'EPROTO', syscall: 'write' }],
    ['tls_refused', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
    ['tls_refused', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
    ['tls_refused', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' }],
    ['nothing_written', { code: 'UND_ERR_SOCKET', socket: { bytesWritten: 0 } }],
    ['nothing_written', { code: 'EPIPE', socket: { bytesWritten: 0 } }],
    ['stream_refused', { code: 'ERR_HTTP2_STREAM_ERROR', rstCode: 7 }],
    ['stream_refused', { code: 'ERR_HTTP2_GOAWAY_SESSION' }],
    ['stream_refused', { code: 'H3_REQUEST_REJECTED' }],
  ])('is not applied, by the rule %s', (rule, error) => {
    expect(classify(failure(error))).toMatchObject({ end: 'not_applied', rule })
  })

  it.each(['lookup', 'connect', 'secureConnect'])(
    'is not applied where got timed out in the phase %s',
    phase => {
      expect(classify(gotTimeout(phase))).toMatchObject({ end: 'not_applied', rule: 'connect_timeout' })
    },
  )

  it.each([
    ['another error', { name: 'X', code: 'ETIMEDOUT', event: 'connect' }],
    ['no phase', { name: 'TimeoutError', code: 'ETIMEDOUT' }],
    ['a later phase', { name: 'TimeoutError', code: 'ETIMEDOUT', event: 'request' }],
  ])('is not told by a time-out of %s', (_, over) => {
    expect(classify(failure(over)).end).toBe('ambiguous')
  })

  it('may come again at once, unless the certificate was refused', () => {
    expect(classify(failure({ code: 'ENOTFOUND' })).retryable).toBe(true)
    expect(classify(failure({ code: 'CERT_HAS_EXPIRED' })).retryable).toBe(false)
  })

  it('is told by the code that Node names an HTTP/2 stream with', () => {
    expect(classify(h2('NGHTTP2_REFUSED_STREAM'))).toMatchObject({
      end: 'not_applied',
      rule: 'stream_refused',
    })
    const said = new Error('Stream closed with error code NGHTTP2_REFUSED_STREAM')
    expect(classify(said).end).toBe('ambiguous')
  })

  it('is found in the cause, where a client copies its code or hides it behind one of its own', () => {
    const refused = failure({ code: 'ECONNREFUSED', syscall: 'connect' })
    const datagram = failure({ code: 'ECONNREFUSED', syscall: 'recvmsg' })
    expect(classify(failure({ code: 'ECONNREFUSED' }, refused)).rule).toBe('connect_refused')
    expect(classify(failure({ code: 'ECONNREFUSED' }, datagram)).end).toBe('ambiguous')
    expect(classify(failure({ code: 'ERR_NETWORK' }, refused)).rule).toBe('connect_refused')
    expect(
      classify(failure({ code: 'ETIMEDOUT' }, failure({ code: 'ETIMEDOUT', syscall: 'connect' }))).rule,
    ).toBe('connect_timeout')
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
    ['an error without a code', new Error('ECONNREFUSED'), 'thrown'],
    ['a refused datagram', failure({ code: 'ECONNREFUSED', syscall: 'recvmsg' }), 'thrown'],
    ['a reset connection', failure({ code: 'ECONNRESET', syscall: 'read' }), 'connection_lost'],
    [
      'a reset that names both its ends',
      failure({ code: 'ECONNRESET', syscall: 'read', host: 'a', port: 443, localAddress: 'b' }),
      'connection_lost',
    ],
    ['a socket that hung up', failure({ code: 'ECONNRESET' }), 'connection_lost'],
    ['a reused socket', failure({ code: 'ECONNRESET', request: { reusedSocket: true } }), 'connection_lost'],
    ['a broken pipe', failure({ code: 'EPIPE', syscall: 'write' }), 'connection_lost'],
    ['an answer that never came', failure({ code: 'UND_ERR_HEADERS_TIMEOUT' }), 'answer_timeout'],
    ['a body that never came', failure({ code: 'UND_ERR_BODY_TIMEOUT' }), 'answer_timeout'],
    ['a body that broke off', failure({ code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' }), 'answer_cut'],
    ['a socket that ended', failure({ code: 'UND_ERR_SOCKET' }), 'connection_lost'],
    [
      'a socket that had written',
      failure({ code: 'UND_ERR_SOCKET', socket: { bytesWritten: 1 } }),
      'connection_lost',
    ],
    ['a time-out on an open connection', failure({ code: 'ETIMEDOUT', syscall: 'read' }), 'answer_timeout'],
    ['a time-out without a phase', failure({ code: 'ETIMEDOUT' }), 'answer_timeout'],
    ['a time-out of got on the answer', gotTimeout('response'), 'aborted'],
    [
      'an unreachable host on an open connection',
      failure({ code: 'EHOSTUNREACH', syscall: 'write' }),
      'connection_lost',
    ],
    ['a time-out of axios', failure({ code: 'ECONNABORTED' }), 'aborted'],
    ['an HTTP/2 stream with another code', h2('NGHTTP2_INTERNAL_ERROR'), 'stream_lost'],
    ['an HTTP/2 stream that was cancelled', failure({ rstCode: 8 }), 'thrown'],
    ['an HTTP/2 session that was lost', failure({ code: 'ERR_HTTP2_SESSION_ERROR' }), 'stream_lost'],
    ['an alert on a secure connection', failure({ code: 'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC' }), 'thrown'],
    ['a TLS connection attacked', failure({ code: 'ERR_TLS_SESSION_ATTACK' }), 'thrown'],
    ['wording that sounds definite', new Error('was not executed, please try again'), 'thrown'],
    ['an error that only calls itself so', Object.assign(new Error('x'), { name: 'NotExecuted' }), 'thrown'],
    [
      'a wrapper with a code of its own',
      failure({ code: 'ERR_APP' }, failure({ code: 'ECONNREFUSED' })),
      'thrown',
    ],
    [
      'a reset around a refusal',
      failure({ code: 'ECONNRESET' }, failure({ code: 'ECONNREFUSED' })),
      'connection_lost',
    ],
    ['a cause without end', endless(), 'thrown'],
    ['a lower-case code', failure({ code: 'enotfound' }), 'thrown'],
  ])('%s', (_, thrown, rule) => {
    expect(classify(thrown)).toMatchObject({ end: 'ambiguous', rule, retryable: false })
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
    expect(notExecuted('x').name).toBe('NotExecuted')
  })
})

describe('the rules', () => {
  const all = [...RULES, ...RULES_AROUND]

  it('have each a title, a reason, a source and what they are known by', () => {
    for (const { title, reason, source, signals } of all) {
      expect([title, reason, source].every(text => text.length > 3)).toBe(true)
      expect(signals.length).toBeGreaterThan(0)
    }
  })

  it('that share an id say the same', () => {
    for (const rule of all) {
      const [first = rule] = all.filter(({ id }) => id === rule.id)
      expect([rule.title, rule.end, rule.category]).toEqual([first.title, first.end, first.category])
    }
  })

  it('that look at more than the error itself match none by themselves, but for the one for everything else', () => {
    const facts = factsOf(notExecuted('x'))
    expect(RULES_AROUND.filter(({ matches }) => matches(facts)).map(({ id }) => id)).toEqual(['thrown'])
  })

  it('let nothing come again that is not certainly refused', () => {
    expect(all.filter(({ end, retryable }) => retryable === true && end !== 'not_applied')).toEqual([])
  })
})

/** A time-out of got, which names the phase it ended. */
function gotTimeout(event: string): Error {
  return failure({ name: 'TimeoutError', code: 'ETIMEDOUT', event })
}

function h2(name: string): Error {
  return Object.assign(new Error(`Stream closed with error code ${name}`), { code: 'ERR_HTTP2_STREAM_ERROR' })
}

function endless(): Error {
  const error = new Error('ring')
  error.cause = error
  return error
}
