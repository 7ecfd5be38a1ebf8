import type { ErrorFacts } from './facts.js'
import { byStatus, type FailureRule } from './rule.js'

const RFC9110 = (section: string) => `RFC 9110 §${section}`
const REFUSED = { end: 'not_applied', category: 'refused' } as const
const COMPARE = { end: 'ambiguous', category: 'conflict' } as const
const LOST = { end: 'ambiguous', category: 'outcome_unknown' } as const

/** What the status of an answer to a write says. First match counts; a service's own rules come before. */
export const HTTP_RULES: readonly FailureRule[] = [
  byStatus(
    [202],
    {
      id: 'accepted',
      title: 'the service took it in and works on it',
      reason: 'it is done only when the service says so',
      source: RFC9110('15.3.3'),
      end: 'accepted',
      category: 'accepted',
    },
    facts => facts.isAnswer || isBodyBroken(facts),
  ),
  byStatus([207], {
    ...LOST,
    id: 'multi_status',
    title: 'the service answered for each item apart',
    reason: 'some may have been done and others not',
    source: 'RFC 4918 §13',
  }),
  {
    id: 'done',
    title: 'the service answered that it is done',
    reason: 'a status from 200 to 299 says that the request was carried out',
    source: RFC9110('15.3'),
    end: 'applied',
    category: null,
    signals: ['2xx'],
    matches: facts => isOk(facts) && facts.isAnswer,
  },
  {
    id: 'result_lost',
    title: 'the service answered that it is done, and the rest of the answer was lost',
    reason: 'the status came before the connection broke: it took effect, its result must be looked up',
    source: RFC9110('15.3'),
    end: 'applied',
    category: null,
    signals: ['2xx, then a broken body'],
    matches: facts => isOk(facts) && isBodyBroken(facts),
  },
  {
    ...LOST,
    id: 'threw_after_ok',
    title: 'the service answered 2xx and the call failed all the same',
    reason: 'a client that throws on such an answer found an error in it; what it means the service says',
    source: 'GraphQL over HTTP; Slack web API',
    signals: ['2xx in an error'],
    matches: isOk,
  },
  byStatus([302, 303], {
    ...LOST,
    id: 'see_other',
    title: 'the service answered with a place to look',
    reason: 'after a write this usually means that it was done; 302 is how many frameworks still say it',
    source: `${RFC9110('15.4.3')} and §15.4.4`,
  }),
  byStatus([301, 307, 308], {
    ...REFUSED,
    id: 'redirected',
    title: 'the service wants the request sent elsewhere',
    reason: 'it was not carried out here, and a write is never sent on by itself',
    source: RFC9110('15.4'),
  }),
  byStatus(
    [403],
    {
      id: 'rate_limited',
      title: 'the service takes no more for now',
      reason: 'GitHub refuses over its limits with 403 too; it says so by its headers',
      source: 'docs.github.com, Rate limits for the REST API',
      end: 'not_applied',
      category: 'rate_limited',
      retryable: true,
    },
    ({ response }) =>
      response?.headers['x-ratelimit-remaining'] === '0' || response?.headers['retry-after'] !== undefined,
  ),
  byStatus([401, 403, 407, 511], {
    id: 'not_allowed',
    title: 'the credential was missing, wrong or not enough',
    reason: 'it is refused before the work; the same request can be taken once the credential is new',
    source: `${RFC9110('15.5.2')}, §15.5.4, §15.5.8; RFC 6585 §6`,
    end: 'not_applied',
    category: 'auth',
  }),
  byStatus([400, 405, 406, 411, 413, 414, 415, 417, 431], {
    id: 'invalid_request',
    title: 'the service does not take such a request',
    reason: 'it is refused for what it is, before the work',
    source: `${RFC9110('15.5')}; RFC 6585 §5`,
    end: 'not_applied',
    category: 'invalid_input',
  }),
  byStatus([402], {
    ...REFUSED,
    id: 'declined',
    title: 'the payment was declined',
    reason: 'the service says for certain that it was not made',
    source: 'docs.stripe.com/api/errors',
  }),
  byStatus([404, 410, 451, 501], {
    ...REFUSED,
    id: 'refused',
    title: 'the service refused the request',
    reason: 'it did not find, does not serve or does not know what the write was for',
    source: `${RFC9110('15.5.5')}, §15.5.11, §15.6.2; RFC 7725`,
  }),
  byStatus([423], {
    ...REFUSED,
    id: 'locked',
    title: 'what the write was for is locked',
    reason: 'the lock is of the moment',
    source: 'RFC 4918 §11.3',
    retryable: true,
  }),
  byStatus([409, 412, 422], {
    ...COMPARE,
    id: 'compare',
    title: 'the service has something else than the request expects',
    reason:
      'it may be what this request, or an earlier sending of it, made: compare before anything is sent again',
    source: `${RFC9110('15.5.10')}, §15.5.13, §15.5.21; draft-ietf-httpapi-idempotency-key-header-07`,
  }),
  byStatus([421, 425], {
    ...REFUSED,
    id: 'not_processed',
    title: 'the service did not begin with the request',
    reason: 'it wants it on another connection, or not as early data',
    source: `${RFC9110('15.5.20')}; RFC 8470 §5.2`,
    retryable: true,
  }),
  byStatus([429], {
    id: 'rate_limited',
    title: 'the service takes no more for now',
    reason: 'the limit is checked before the work',
    source: 'RFC 6585 §4',
    end: 'not_applied',
    category: 'rate_limited',
    retryable: true,
  }),
  byStatus([408], {
    ...LOST,
    id: 'request_timeout',
    title: 'the service says that the request did not arrive in time',
    reason: 'that it saw no end of it does not say that it did nothing',
    source: RFC9110('15.5.9'),
  }),
  byStatus(
    [521, 523],
    {
      ...REFUSED,
      id: 'origin_unreachable',
      title: 'Cloudflare made no connection to the service',
      reason: 'the request goes on only over that connection; the header cf-ray shows who answered',
      source: 'developers.cloudflare.com, Cloudflare 5xx errors',
      retryable: true,
    },
    ({ response }) => response?.headers['cf-ray'] !== undefined,
  ),
  {
    ...LOST,
    id: 'server_error',
    title: 'the service, or a gateway before it, failed',
    reason: 'the work may have been done before or behind the failure',
    source: `${RFC9110('15.6')}; docs.stripe.com/error-low-level`,
    signals: ['5xx'],
    matches: ({ response }) => response !== null && response.status >= 500,
  },
]

function isOk({ response }: ErrorFacts): boolean {
  return response !== null && response.status >= 200 && response.status < 300
}

// What clients throw when the connection breaks, or the body makes no sense, after the status came.
const BROKEN: ReadonlySet<string> = new Set([
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_SOCKET',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_BAD_RESPONSE',
  'ERR_BODY_PARSE_FAILURE',
  'AbortError',
  'TimeoutError',
])

export function isBodyBroken({ code, name, cause }: ErrorFacts): boolean {
  return BROKEN.has(code ?? name) || (code === null && cause !== null && isBodyBroken(cause))
}
