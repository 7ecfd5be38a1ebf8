import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import type { ServiceRule } from '../../../src/core/classify/service-rule.js'
import { CLIENTS, failure } from './support/thrown.js'

/** Every status of the table, its end, its rule, whether the same request may come again, its category. */
const STATUSES: readonly (readonly [string, readonly number[], string, string, boolean, string | null])[] = [
  ['the service works on it', [202], 'accepted', 'accepted', false, 'accepted'],
  ['some items may be done', [207], 'ambiguous', 'multi_status', false, 'outcome_unknown'],
  ['it may have been done', [302, 303], 'ambiguous', 'see_other', false, 'outcome_unknown'],
  ['it is wanted elsewhere', [301, 307, 308], 'not_applied', 'redirected', false, 'refused'],
  [
    'no such request is taken',
    [400, 405, 406, 411, 413, 414, 415, 417, 431],
    'not_applied',
    'invalid_request',
    false,
    'invalid_input',
  ],
  ['the credential is not enough', [401, 403, 407, 511], 'not_applied', 'not_allowed', false, 'auth'],
  ['the payment was declined', [402], 'not_applied', 'declined', false, 'refused'],
  ['the service refused', [404, 410, 451, 501], 'not_applied', 'refused', false, 'refused'],
  ['it is locked now', [423], 'not_applied', 'locked', true, 'refused'],
  ['it must be compared', [409, 412, 422], 'ambiguous', 'compare', false, 'conflict'],
  ['the service did not begin', [421, 425], 'not_applied', 'not_processed', true, 'refused'],
  ['the service takes no more', [429], 'not_applied', 'rate_limited', true, 'rate_limited'],
  ['it did not arrive in time', [408], 'ambiguous', 'request_timeout', false, 'outcome_unknown'],
  [
    'the service or a gateway failed',
    [500, 502, 503, 504, 505, 520, 521, 522, 523, 524, 599],
    'ambiguous',
    'server_error',
    false,
    'outcome_unknown',
  ],
  [
    'nobody listed it',
    [100, 300, 304, 305, 416, 418, 426, 428],
    'ambiguous',
    'thrown',
    false,
    'outcome_unknown',
  ],
]

const CASES = STATUSES.flatMap(([why, statuses, ...says]) =>
  statuses.map(status => [status, why, ...says] as const),
)

describe.each(Object.entries(CLIENTS))('an answer that %s throws', (client, thrown) => {
  // A Response can hold neither an answer that is not final nor a body beside these.
  const cases = CASES.filter(([status]) => status >= 200 || (client !== 'ky' && !client.includes('Response')))
  // Inside an error a 202 is no word of success by itself.
  const isError = client !== 'a thrown Response'

  it.each(cases.filter(([status]) => !(isError && status === 202)))(
    'with status %i: %s',
    (status, _, end, rule, retryable, category) => {
      expect(classify(thrown(status))).toMatchObject({ end, rule, retryable, category, status })
    },
  )
})

describe('an answer that says that it is done', () => {
  it.each([200, 201, 203, 204, 205, 226])('is believed with status %i', status => {
    expect(classify(new Response(null, { status }))).toMatchObject({ end: 'applied', rule: 'done' })
  })

  it.each([
    ['axios, cut off', failure({ code: 'ERR_BAD_RESPONSE', response: { status: 201, headers: {} } })],
    ['axios, aborted', failure({ code: 'ECONNABORTED', response: { status: 200, headers: {} } })],
    ['got, cut off', failure({ name: 'ReadError', code: 'ECONNRESET', response: { statusCode: 201 } })],
    ['got, not JSON', failure({ code: 'ERR_BODY_PARSE_FAILURE', response: { statusCode: 200 } })],
    [
      'undici, too short',
      failure({ statusCode: 200, headers: {}, code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' }),
    ],
    ['fetch, cut off', failure({ response: { status: 200 } }, failure({ code: 'UND_ERR_SOCKET' }))],
    ['aborted while it was read', failure({ name: 'AbortError', response: { status: 200 } })],
  ])('is believed although its body is lost: %s', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({ end: 'applied', rule: 'result_lost', retryable: false })
  })

  it('was taken in, with a lost body as well', () => {
    const thrown = failure({ code: 'ECONNRESET', response: { status: 202 } })
    expect(classify(thrown)).toMatchObject({ end: 'accepted', rule: 'accepted' })
  })

  describe('and whose body was not read', () => {
    const lost = failure({ code: 'ECONNRESET', response: { status: 201 } })
    const no = { end: 'not_applied', reason: 'it answers errors with 201' } as const
    const saying = (...when: ServiceRule['when'][]) => ({
      contract: { classify: when.map(one => ({ when: one, ...no })) },
    })

    it.each([
      ['lost', lost],
      ['left to the handler', new Response('{}', { status: 201 })],
      ['lost, taken in', failure({ code: 'ECONNRESET', response: { status: 202 } })],
    ])('settles nothing where the contract asks what stands in it (%s)', (_, thrown) => {
      expect(classify(thrown, saying({ body: { ok: false } }))).toMatchObject({
        end: 'ambiguous',
        rule: 'body_unread',
        category: 'outcome_unknown',
        retryable: false,
      })
    })

    it.each([
      ['the rule is for another status', lost, saying({ status: 200, body: { ok: false } })],
      [
        'the rule is for a header that is not there',
        lost,
        saying({ header: { x: '1' }, body: { ok: false } }),
      ],
      ['there is none', new Response(null, { status: 201 }), saying({ body: { ok: false } })],
      [
        'no rule says otherwise',
        lost,
        { contract: { classify: [{ ...no, end: 'applied' as const, when: { body: { ok: true } } }] } },
      ],
    ])('is believed where %s', (_, thrown, options) => {
      expect(classify(thrown, options)).toMatchObject({ end: 'applied' })
    })

    it('is read by a rule that does not ask for it', () => {
      expect(classify(lost, saying({ status: 201 }))).toMatchObject({ end: 'not_applied' })
    })
  })

  it('settles nothing where the client threw for what it said', () => {
    const graphql = failure({ name: 'ClientError', response: { status: 200, errors: [{ message: 'no' }] } })
    expect(classify(graphql)).toMatchObject({ end: 'ambiguous', rule: 'threw_after_ok' })
    expect(classify(failure({ name: 'ClientError', response: { status: 202 } })).end).toBe('ambiguous')
  })
})

describe('what a status is read from', () => {
  it('is never a number that only calls itself one', () => {
    expect(classify(failure({ status: 400 }))).toMatchObject({
      end: 'ambiguous',
      rule: 'thrown',
      status: null,
    })
    expect(classify(failure({ statusCode: 400, response: 'HTTP/1.1 400' })).end).toBe('ambiguous')
    expect(classify(failure({ response: { status: '400' } })).end).toBe('ambiguous')
    expect(classify(failure({ response: { status: 99 } })).end).toBe('ambiguous')
    expect(classify(failure({ response: { status: 600 } })).end).toBe('ambiguous')
  })

  it('is what stands behind the 500 that Octokit writes on failures of the network', () => {
    const octokit = (code: string, over: object = {}) =>
      failure(
        { name: 'HttpError', status: 500, request: { method: 'POST' } },
        failure({}, failure({ code, ...over })),
      )
    expect(classify(octokit('ECONNREFUSED', { syscall: 'connect' }))).toMatchObject({
      end: 'not_applied',
      rule: 'connect_refused',
      status: null,
    })
    expect(classify(octokit('UND_ERR_SOCKET'))).toMatchObject({ end: 'ambiguous', rule: 'connection_lost' })
  })

  it('is the outermost answer', () => {
    const inner = CLIENTS.axios?.(400)
    expect(classify(new Error('the node failed', { cause: inner }))).toMatchObject({
      rule: 'invalid_request',
    })
    expect(classify(failure({ response: { status: 500 } }, inner))).toMatchObject({ rule: 'server_error' })
  })

  it('survives members that throw', () => {
    const no = () => {
      throw new Error('no')
    }
    const hostile = Object.defineProperty(failure({}), 'response', { get: no })
    const trap = new Proxy({}, { ownKeys: no })
    expect(classify(hostile).rule).toBe('thrown')
    expect(classify(failure({ response: { status: 400, headers: trap } })).rule).toBe('invalid_request')
  })
})

describe('a refusal by status', () => {
  it('with 403 is of the moment where the headers speak of a limit', () => {
    const limited = (headers: Record<string, string>) => classify(CLIENTS.octokit?.(403, { headers }))
    const says = { rule: 'rate_limited', category: 'rate_limited', retryable: true }
    expect(limited({ 'x-ratelimit-remaining': '0' })).toMatchObject(says)
    expect(limited({ 'Retry-After': '60' })).toMatchObject({ ...says, retry_after_ms: 60_000 })
    expect(limited({ 'x-ratelimit-remaining': '1' })).toMatchObject({ rule: 'not_allowed', retryable: false })
  })

  it.each([521, 523])('with %i counts only where Cloudflare says so', status => {
    const says = { end: 'not_applied', rule: 'origin_unreachable', retryable: true }
    expect(classify(CLIENTS.got?.(status, { headers: { 'cf-ray': '8f' } }))).toMatchObject(says)
    expect(classify(CLIENTS.got?.(status)).end).toBe('ambiguous')
  })

  it('is none where it is the answer to a read', () => {
    const read = { ...(CLIENTS.axios?.(404) as object), config: { method: 'get' } }
    expect(classify(read)).toMatchObject({ end: 'ambiguous', rule: 'read_failed' })
    const cut = failure({ code: 'ECONNRESET', config: { method: 'get' }, response: { status: 200 } })
    expect(classify(cut)).toMatchObject({ end: 'ambiguous', rule: 'read_failed' })
    const refused = failure({ code: 'ECONNREFUSED', options: { method: 'HEAD' } })
    expect(classify(refused)).toMatchObject({ end: 'ambiguous', rule: 'read_failed' })
  })

  it.each([
    ['the AWS SDK', failure({ $metadata: { httpStatusCode: 400, attempts: 2 } })],
    ['got', failure({ response: { statusCode: 400, retryCount: 1 } })],
    ['axios-retry', failure({ response: { status: 400 }, config: { 'axios-retry': { retryCount: 1 } } })],
    ['Octokit', failure({ response: { status: 404 }, request: { request: { retryCount: 2 } } })],
    [
      'axios-retry, connecting',
      failure({ code: 'ECONNREFUSED', config: { 'axios-retry': { retryCount: 1 } } }),
    ],
  ])('is none where %s had sent it before', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({ end: 'ambiguous', rule: 'resent_below', retryable: false })
  })
})

describe('what a service says with its own codes', () => {
  const body = (inside: unknown, status = 400) => CLIENTS.octokit?.(status, { body: inside })

  it.each([
    ['Stripe', body({ error: { type: 'idempotency_error', code: 'idempotency_key_in_use' } })],
    ['Shopify', body({ errors: [{ extensions: { code: 'IDEMPOTENCY_CONCURRENT_REQUEST' } }] }, 429)],
    ['Nylas', body({ error: { type: 'api.concurrent_idempotent_request' } }, 409)],
    ['DynamoDB', failure({ name: 'X', code: 'TransactionInProgressException' })],
  ])('that its key is in use, as %s, is a request in progress', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({
      end: 'ambiguous',
      rule: 'request_in_progress',
      category: 'conflict',
      title: 'refused: another request with the same key is in progress',
    })
  })

  it.each([
    ['Stripe', body({ error: { type: 'idempotency_error' } })],
    ['EC2', failure({ code: 'IdempotentParameterMismatch' })],
    ['DynamoDB', body({ __type: 'IdempotentParameterMismatchException' })],
    ['Shopify', body({ errors: [{ code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' }] }, 422)],
  ])('that its key stands for another request, as %s, is a refusal', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({ end: 'not_applied', rule: 'key_mismatch', category: 'conflict' })
  })

  it.each([
    ['npm', failure({ code: 'EPUBLISHCONFLICT' })],
    ['GitHub', body({ errors: [{ resource: 'Release', code: 'already_exists' }] }, 422)],
    ['Kubernetes', body({ kind: 'Status', reason: 'AlreadyExists' }, 409)],
  ])('that it exists already, as %s, must be compared', (_, thrown) => {
    expect(classify(thrown)).toMatchObject({ end: 'ambiguous', rule: 'already_exists', category: 'conflict' })
  })

  it('in words is not looked at', () => {
    expect(classify(body({ message: 'idempotency_key_in_use: already_exists' })).rule).toBe('invalid_request')
  })
})
