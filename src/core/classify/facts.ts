import { fieldOf, someText } from '../field.js'
import { excerpt } from './excerpt.js'
import { type GrpcFacts, grpcIn } from './grpc-facts.js'
import { saysNotExecuted } from './not-executed.js'
import { headersOf, isResponseLike, type ResponseFacts, responseIn } from './response-facts.js'
import { isResent, methodOf } from './sender-facts.js'

/** What is read off the end of a call, whatever it is; the rules look at nothing else. */
export interface ErrorFacts {
  readonly name: string
  readonly message: string
  /** made by `notExecuted()` */
  readonly isNotExecuted: boolean
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`: how Node and its libraries name a failure */
  readonly code: string | null
  readonly syscall: string | null
  /** the host it concerned, where the error says so */
  readonly host: string | null
  /** the answer it carries */
  readonly response: ResponseFacts | null
  /** the answer itself is what the call ended with: nothing failed after it */
  readonly isAnswer: boolean
  readonly grpc: GrpcFacts | null
  /** how an HTTP/2 stream was closed; 7 is REFUSED_STREAM */
  readonly rstCode: number | null
  /** the phase a time-out of got stands for: `connect`, `response` */
  readonly phase: string | null
  /** bytes of all requests that left on the connection, where the error says so */
  readonly bytesWritten: number | null
  /** Node made it before a TLS connection was secure */
  readonly isBeforeSecure: boolean
  /** the HTTP method, where the client says so */
  readonly method: string | null
  /** a layer below sent the request more than once */
  readonly isResent: boolean
  readonly cause: ErrorFacts | null
  /** the failures an AggregateError holds; null for any other */
  readonly errors: readonly ErrorFacts[] | null
}

const DEEPEST = 4
const MOST_ERRORS = 16
const LONGEST_MESSAGE = 2_000

export const NO_FACTS: ErrorFacts = {
  name: 'unknown',
  message: 'a thrown value that cannot be shown',
  isNotExecuted: false,
  code: null,
  syscall: null,
  host: null,
  response: null,
  isAnswer: false,
  grpc: null,
  rstCode: null,
  phase: null,
  bytesWritten: null,
  isBeforeSecure: false,
  method: null,
  isResent: false,
  cause: null,
  errors: null,
}

/** Reads a thrown value: not only errors are thrown, and reading one must not throw again. */
export function factsOf(thrown: unknown, depth = 0): ErrorFacts {
  try {
    if (isResponseLike(thrown)) return factsOfResponse(thrown)
    const cause = fieldOf(thrown, 'cause')
    const code = someText(fieldOf(thrown, 'code'))
    return {
      name: someText(fieldOf(thrown, 'name')) ?? (thrown instanceof Error ? 'Error' : typeof thrown),
      message: messageOf(thrown),
      isNotExecuted: thrown instanceof Error && saysNotExecuted(thrown),
      code,
      syscall: someText(fieldOf(thrown, 'syscall')),
      host: someText(fieldOf(thrown, 'hostname')) ?? someText(fieldOf(thrown, 'address')),
      response: responseIn(thrown),
      isAnswer: false,
      grpc: grpcIn(thrown),
      rstCode: rstCodeOf(thrown, code),
      phase: someText(fieldOf(thrown, 'event')),
      bytesWritten: wholeOf(fieldOf(fieldOf(thrown, 'socket'), 'bytesWritten')),
      isBeforeSecure: isBeforeSecure(thrown, code),
      method: methodOf(thrown),
      isResent: isResent(thrown),
      cause: cause === undefined || cause === null || depth >= DEEPEST ? null : factsOf(cause, depth + 1),
      errors: errorsIn(fieldOf(thrown, 'errors'), depth),
    }
  } catch {
    // A proxy may throw at any question.
    return NO_FACTS
  }
}

/** A `Response` that a handler returned or threw. Its body can only be read once, so it is left to the handler. */
function factsOfResponse(response: object): ErrorFacts {
  const facts = {
    status: Number(fieldOf(response, 'status')),
    headers: headersOf(fieldOf(response, 'headers')),
  }
  const words = someText(fieldOf(response, 'statusText'))
  return {
    ...NO_FACTS,
    name: 'Response',
    message: `answered ${facts.status}${words === null ? '' : ` ${bounded(words)}`}`,
    response: { ...facts, body: null, ...(fieldOf(response, 'body') === null ? {} : { isUnread: true }) },
    isAnswer: true,
  }
}

// Node names the HTTP/2 code of a stream in its message alone (lib/internal/http2/core.js): a name, no wording.
const RST_NAME = /^Stream closed with error code NGHTTP2_REFUSED_STREAM$/
export const REFUSED_STREAM = 7

function rstCodeOf(thrown: unknown, code: string | null): number | null {
  if (code === 'ERR_HTTP2_STREAM_ERROR' && RST_NAME.test(String(fieldOf(thrown, 'message'))))
    return REFUSED_STREAM
  return wholeOf(fieldOf(thrown, 'rstCode'))
}

/**
 * A reset that Node itself made of a connection that ended before `secureConnect` carries where it was going to,
 * and no system call (lib/_tls_wrap.js, onConnectEnd); "socket hang up" carries nothing.
 */
function isBeforeSecure(thrown: unknown, code: string | null): boolean {
  if (code !== 'ECONNRESET' || typeof thrown !== 'object' || thrown === null) return false
  const has = (name: string) => Object.hasOwn(thrown, name)
  return has('host') && has('port') && has('localAddress') && !has('syscall')
}

/** Errors that are too many or too deep to be read count as one that nobody can read, so as none of the definite. */
function errorsIn(errors: unknown, depth: number): readonly ErrorFacts[] | null {
  if (!Array.isArray(errors)) return null
  if (depth >= DEEPEST || errors.length > MOST_ERRORS) return [NO_FACTS]
  return errors.map(inner => factsOf(inner, depth + 1))
}

/** What was thrown, in one text of bounded length. */
function messageOf(thrown: unknown): string {
  return bounded(
    thrown instanceof Error
      ? (someText(fieldOf(thrown, 'message')) ?? 'an error without a message')
      : printed(thrown),
  )
}

function bounded(text: string): string {
  const whole = text.toWellFormed().replaceAll('\0', '␀')
  return whole.length <= LONGEST_MESSAGE
    ? whole
    : `${excerpt(whole, LONGEST_MESSAGE)}… (${whole.length} characters)`
}

function printed(thrown: unknown): string {
  try {
    if (typeof thrown !== 'object' || thrown === null) return `a thrown ${typeof thrown}: ${String(thrown)}`
    return `a thrown object: ${JSON.stringify(thrown)}`
  } catch {
    return NO_FACTS.message
  }
}

function wholeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}
