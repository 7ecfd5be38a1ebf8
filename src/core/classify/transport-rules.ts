import { type ErrorFacts, REFUSED_STREAM } from './facts.js'
import { byCode, type FailureRule } from './rule.js'

const NODE_ERRORS = 'Node.js 20, errors, "Common system errors", and dns'
const NODE_TLS = 'Node.js 20, tls, "X509 certificate error codes", and errors, ERR_TLS_*'
const UNDICI = 'undici, docs/api/Errors.md'

const BEFORE = { end: 'not_applied', category: 'refused', retryable: true } as const
const CONNECT_REASON =
  'bytes of a request travel only on a connection; on one already open the same code says nothing'

/** The transport failed before the first byte of the request. */
export const CONNECT_RULES: readonly FailureRule[] = [
  byCode(['ENOTFOUND', 'EAI_AGAIN'], {
    ...BEFORE,
    id: 'host_not_found',
    title: 'the name of the host was not found',
    reason: 'no address is known, so no connection was made',
    source: NODE_ERRORS,
  }),
  byCode(
    ['ECONNREFUSED'],
    {
      ...BEFORE,
      id: 'connect_refused',
      title: 'the host refused the connection',
      reason: 'bytes of a request travel only on a connection',
      source: NODE_ERRORS,
    },
    // The same code comes from a datagram socket, about a datagram sent earlier: then it names another system call.
    ({ syscall }) => syscall === null || syscall === 'connect',
  ),
  byCode(
    ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN'],
    {
      ...BEFORE,
      id: 'connect_unreachable',
      title: 'the host could not be reached',
      reason: CONNECT_REASON,
      source: NODE_ERRORS,
    },
    isConnecting,
  ),
  {
    ...BEFORE,
    id: 'connect_timeout',
    title: 'the connection was not made in time',
    reason: 'while connecting nothing of the request is sent; a timeout after that says nothing',
    source: `${NODE_ERRORS}; ${UNDICI}; got, documentation/6-timeout.md`,
    signals: ['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'],
    matches: facts =>
      facts.code === 'UND_ERR_CONNECT_TIMEOUT' ||
      (facts.code === 'ETIMEDOUT' && (isConnecting(facts) || isPhaseBefore(facts))),
  },
  {
    ...BEFORE,
    id: 'connect_failed',
    title: 'the connection was not made',
    reason: `the system call that failed is connect, whatever a library calls it: ${CONNECT_REASON}`,
    source: NODE_ERRORS,
    signals: ['syscall connect'],
    matches: facts => facts.code !== null && isConnecting(facts),
  },
  byCode(['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN'], {
    ...BEFORE,
    id: 'proxy_failed',
    title: 'the proxy opened no way to the host',
    reason: 'the request travels only through the tunnel that was not made',
    source: UNDICI,
  }),
  {
    ...BEFORE,
    id: 'tls_cut',
    title: 'the connection ended before it was secure',
    reason: 'Node sends nothing of a request before the handshake is done, and no early data',
    source: 'Node.js 20, lib/_tls_wrap.js, onConnectEnd',
    signals: ['ECONNRESET before secureConnect'],
    matches: ({ isBeforeSecure }) => isBeforeSecure,
  },
  {
    id: 'tls_refused',
    title: 'the handshake or the certificate was refused',
    reason: 'a request is processed only on a connection that both sides accepted',
    source: NODE_TLS,
    end: 'not_applied',
    category: 'refused',
    signals: ['CERT_*', 'ERR_TLS_*', 'EPROTO', 'ERR_SSL_*', ...['DEPTH_ZERO_SELF_SIGNED_CERT', '…']],
    matches: ({ code }) => code !== null && isHandshake(code),
  },
  byCode(
    ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'],
    {
      ...BEFORE,
      id: 'nothing_written',
      title: 'the connection was lost and nothing had been written on it',
      reason: 'the socket counts its bytes, and the count is 0',
      source: `${UNDICI}, SocketError`,
    },
    ({ bytesWritten }) => bytesWritten === 0,
  ),
  {
    ...BEFORE,
    id: 'stream_refused',
    title: 'the HTTP/2 or HTTP/3 server refused the stream',
    reason: 'a server may say so only where it processed nothing of the request, whatever the method',
    source: 'RFC 9113 §8.7, RFC 9114 §4.1.1',
    signals: ['REFUSED_STREAM', 'ERR_HTTP2_GOAWAY_SESSION', 'H3_REQUEST_REJECTED'],
    matches: ({ code, rstCode }) =>
      // Streams above a GOAWAY's last one are closed by Node with REFUSED_STREAM; later ones are not opened.
      rstCode === REFUSED_STREAM || code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'H3_REQUEST_REJECTED',
  },
]

const LOST = { end: 'ambiguous', category: 'outcome_unknown' } as const

/** The request may have arrived; told apart for the person who looks for the cause. */
export const LOST_RULES: readonly FailureRule[] = [
  {
    ...LOST,
    id: 'aborted',
    title: 'the call was aborted or timed out',
    reason: 'the request may have arrived before that',
    source: 'contracts of AbortSignal; axios ECONNABORTED, ERR_CANCELED',
    signals: ['AbortError', 'TimeoutError', 'ECONNABORTED', 'ERR_CANCELED', 'UND_ERR_ABORTED'],
    matches: ({ name, code }) => ABORTS.has(name) || (code !== null && ABORTS.has(code)),
  },
  byCode(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'], {
    ...LOST,
    id: 'answer_timeout',
    title: 'no answer came in time',
    reason: 'the request had been sent',
    source: UNDICI,
  }),
  byCode(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_STREAM_PREMATURE_CLOSE'], {
    ...LOST,
    id: 'answer_cut',
    title: 'the answer broke off',
    reason: 'without its status nobody can tell what it said',
    source: UNDICI,
  }),
  byCode(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN'], {
    ...LOST,
    id: 'connection_lost',
    title: 'the connection was lost before the answer came',
    reason: 'the request, or a part of it, had been written; a reset can come after the work is done',
    source: 'RFC 9110 §9.2.2; stripe-node, src/RequestSender.ts',
  }),
  byCode(['ERR_HTTP2_STREAM_ERROR', 'ERR_HTTP2_SESSION_ERROR', 'ERR_HTTP2_STREAM_CANCEL'], {
    ...LOST,
    id: 'stream_lost',
    title: 'the HTTP/2 stream or session was lost',
    reason: 'only REFUSED_STREAM promises that nothing was processed',
    source: 'RFC 9113 §8.7',
  }),
]

const ABORTS: ReadonlySet<string> = new Set([
  'AbortError',
  'TimeoutError',
  'ABORT_ERR',
  'ECONNABORTED',
  'ERR_CANCELED',
  'UND_ERR_ABORTED',
])

function isConnecting({ syscall }: ErrorFacts): boolean {
  return syscall === 'connect'
}

/** got names the phase its time limit ended; in these no request has begun. */
function isPhaseBefore({ name, phase }: ErrorFacts): boolean {
  return name === 'TimeoutError' && phase !== null && ['lookup', 'connect', 'secureConnect'].includes(phase)
}

// Results of verifying a certificate that do not begin with CERT_ (OpenSSL, x509_vfy.h; Node.js tls).
const VERIFY_CODES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_GET_CRL',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
])

// These come on a connection that was secure already.
const AFTER_SECURE: ReadonlySet<string> = new Set([
  'ERR_TLS_SESSION_ATTACK',
  'ERR_TLS_RENEGOTIATION_DISABLED',
])

// Alerts and mistakes of a handshake (RFC 8446 §6.2). Others, bad_record_mac or internal_error, come at any time.
const HANDSHAKE_ALERT =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|\w+_ALERT_(?:HANDSHAKE_FAILURE|PROTOCOL_VERSION|INSUFFICIENT_SECURITY|UNRECOGNIZED_NAME|NO_APPLICATION_PROTOCOL|UNKNOWN_CA|ACCESS_DENIED|NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN|REQUIRED)))$/

function isHandshake(code: string): boolean {
  if (VERIFY_CODES.has(code) || code === 'EPROTO' || code.startsWith('CERT_')) return true
  return (code.startsWith('ERR_TLS_') && !AFTER_SECURE.has(code)) || HANDSHAKE_ALERT.test(code)
}
