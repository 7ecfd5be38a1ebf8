import { describe, expect, it } from 'vitest'
import { classifyFetch } from '../../../src/core/classify/classify-fetch.js'
import type { ServiceRule } from '../../../src/core/classify/service-rule.js'
import { failure } from './support/thrown.js'

const contract = {
  classify: [
    { when: { status: 200, body: { ok: false } }, end: 'not_applied', reason: 'an error under 200' },
  ],
  ids: [{ kind: 'ticket', path: 'id' }],
} as const

describe('classifyFetch', () => {
  it('reads a Response by its status and leaves its body to the caller', async () => {
    const response = new Response('{"id":"T-1"}', { status: 201 })
    expect(classifyFetch(response)).toMatchObject({ end: 'applied', rule: 'done', status: 201 })
    expect(await response.json()).toEqual({ id: 'T-1' })
  })

  it('reads the body it is given, as text or as JSON, by the contract', () => {
    const response = () => new Response(null, { status: 200 })
    expect(classifyFetch(response(), { body: '{"ok":false}', contract })).toMatchObject({
      end: 'not_applied',
      rule: 'service:200+ok=false',
      title: 'an error under 200',
    })
    expect(classifyFetch(response(), { body: { id: 'T-1' }, contract })).toMatchObject({
      end: 'applied',
      external_ids: [{ kind: 'ticket', value: 'T-1' }],
    })
    expect(classifyFetch(response(), { contract })).toMatchObject({ end: 'applied', external_ids: [] })
    const kept = failure({ response: { status: 500, data: { code: 'already_exists' } } })
    expect(classifyFetch(kept).rule).toBe('already_exists')
    expect(classifyFetch(kept, { body: null }).rule).toBe('server_error')
  })

  it.each<[string, ServiceRule['when'], boolean]>([
    ['its status', { status: 503 }, true],
    ['one of its statuses', { status: [500, 503] }, true],
    ['another status', { status: 502 }, false],
    ['other statuses', { status: [500, 502] }, false],
    ['a header, whatever the case of its name', { header: { 'X-Reason': 'Full' } }, true],
    ['a header with another value', { header: { 'x-reason': 'full' } }, false],
    ['a value in a list of the body', { body: { 'errors.0.code': 7 } }, true],
    ['the same as text', { body: { 'errors.0.code': '7' } }, false],
    ['a name that every object has', { body: { 'constructor.name': 'Object' } }, false],
    ['all of it', { status: 503, header: { 'x-reason': 'Full' }, body: { 'errors.0.code': 7 } }, true],
    ['all but one', { status: 503, header: { 'x-reason': 'Full' }, body: { 'errors.0.code': 8 } }, false],
    ['a code, which it has not', { status: 503, code: 'X' }, false],
    ['a gRPC status, which it is not', { status: 503, grpc: 'UNAVAILABLE' }, false],
  ])('knows an answer of a service by %s', (_, when, fits) => {
    const response = new Response(null, { status: 503, headers: { 'x-reason': 'Full' } })
    const classify = [{ when, end: 'not_applied', reason: 'it is full' } as const]
    const body = { errors: [{ code: 7 }] }
    expect(classifyFetch(response, { body, contract: { classify } }).end).toBe(
      fits ? 'not_applied' : 'ambiguous',
    )
  })

  it('takes a code under a 2xx for nothing, unless the contract knows it', () => {
    const response = new Response(null, { status: 200 })
    expect(classifyFetch(response, { body: { code: 'already_exists' } })).toMatchObject({ rule: 'done' })
  })

  it('reads what fetch and other clients throw', () => {
    const refused = new TypeError('fetch failed', {
      cause: failure({ code: 'ECONNREFUSED', syscall: 'connect' }),
    })
    expect(classifyFetch(refused, { body: 'x' })).toMatchObject({
      end: 'not_applied',
      rule: 'connect_refused',
    })
    expect(
      classifyFetch(failure({ response: { status: 422 } }), { body: '{"code":"already_exists"}' }),
    ).toMatchObject({
      end: 'ambiguous',
      rule: 'already_exists',
    })
    expect(classifyFetch(undefined).end).toBe('ambiguous')
  })

  it.each([
    [true, 'false', true, true],
    [false, 'true', false, false],
    [undefined, 'true', true, true],
    [undefined, 'false', false, false],
    [undefined, '', false, null],
  ])(
    'lets the contract (%s) say whether a refusal may be sent again, over the header (%s)',
    (retry, header, may, said) => {
      const own = { when: { status: 400 }, end: 'not_applied', reason: 'it says so' } as const
      const classify = [{ ...own, ...(retry === undefined ? {} : { retry }) }]
      const response = new Response(null, { status: 400, headers: { 'stripe-should-retry': header } })
      expect(classifyFetch(response, { contract: { classify } })).toMatchObject({
        retryable: may,
        retry_said: said,
      })
    },
  )

  it('reads a date by the time it is given', () => {
    const headers = { 'retry-after': 'Tue, 10 Mar 2026 12:00:30 GMT' }
    const at = Date.UTC(2026, 2, 10, 12)
    expect(classifyFetch(new Response(null, { status: 429, headers }), { at }).retry_after_ms).toBe(30_000)
  })
})
