import type { ErrorFacts } from './facts.js'

/** One way a call can fail, and what it says about the outside write. Unlisted = ambiguous. */
export interface FailureRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  /** the same request may be taken later: what refused it is of the moment */
  readonly retryable?: true
  readonly matches: (facts: ErrorFacts) => boolean
}

/**
 * The write certainly did not take effect: the handler says so, or the transport failed before the first byte.
 * Codes: Node.js 20 documentation, "Common system errors" and dns; undici 6, docs/api/Errors.md. A code that
 * also appears on a connection already open is listed with the system call that tells the two apart.
 */
export const NOT_APPLIED_RULES: readonly FailureRule[] = [
  {
    id: 'said_not_executed',
    title: 'the handler says for certain that nothing took effect',
    reason: 'it threw notExecuted(), which is for this alone',
    matches: ({ isNotExecuted }) => isNotExecuted,
  },
  {
    id: 'host_not_found',
    title: 'the name of the host was not found',
    reason: 'no address is known, so no connection was made',
    retryable: true,
    matches: ({ code }) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
  },
  {
    id: 'connect_refused',
    title: 'the host refused the connection',
    reason: 'bytes of a request travel only on a connection',
    retryable: true,
    // The same code comes from a datagram socket, about a datagram sent earlier: then it names another system call.
    matches: ({ code, syscall }) => code === 'ECONNREFUSED' && (syscall === null || syscall === 'connect'),
  },
  {
    id: 'connect_unreachable',
    title: 'the host could not be reached',
    reason:
      'while connecting nothing of the request is sent; on an open connection the same code says nothing',
    retryable: true,
    matches: ({ code, syscall }) => code !== null && UNREACHABLE.has(code) && syscall === 'connect',
  },
  {
    id: 'connect_timeout',
    title: 'the connection was not made in time',
    reason: 'while connecting nothing of the request is sent; a timeout after that says nothing',
    retryable: true,
    matches: ({ code, syscall }) =>
      code === 'UND_ERR_CONNECT_TIMEOUT' || (code === 'ETIMEDOUT' && syscall === 'connect'),
  },
]

/** The write may have taken effect; told apart for the person who looks for the cause. */
export const AMBIGUOUS_RULES: readonly FailureRule[] = [
  {
    id: 'aborted',
    title: 'the call was aborted or timed out',
    reason: 'the request may have arrived before that',
    matches: ({ name }) => name === 'AbortError' || name === 'TimeoutError',
  },
]

export const UNLISTED: FailureRule = {
  id: 'thrown',
  title: 'the call ended without saying whether it took effect',
  reason: 'no rule says that such a failure comes before the effect',
  matches: () => true,
}

const UNREACHABLE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN'])
