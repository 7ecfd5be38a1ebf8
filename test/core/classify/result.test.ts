import { describe, expect, it } from 'vitest'
import { classifyResult } from '../../../src/core/classify/classify.js'
import type { ServiceRule } from '../../../src/core/classify/service-rule.js'
import type { Contract } from '../../../src/core/operation.js'

const IDS = [
  { kind: 'ticket', path: 'id', url: 'links.self', scope: 'eu' },
  { kind: 'charge', path: 'error.charge', in: 'error' },
  { kind: 'run', pattern: 'run (\\d+)' },
] as const satisfies Contract['ids']

const REASON = 'this service says so under 200'
const saying = (end: ServiceRule['end'], over: Partial<ServiceRule> = {}) =>
  classifyResult({ ok: false, id: 'T-1' }, { contract: { classify: [ruled(end, over)], ids: IDS } })
const ruled = (end: ServiceRule['end'], over: Partial<ServiceRule>): ServiceRule => ({
  when: { body: { ok: false } },
  end,
  reason: REASON,
  ...over,
})

describe('a value that a handler returned', () => {
  it.each([undefined, null, 0, '', { ok: false }, { status: 500 }])('is a receipt, whatever it is', value => {
    expect(classifyResult(value)).toEqual({
      end: 'applied',
      rule: 'returned',
      title: 'the handler returned',
      category: null,
      message: '',
      code: null,
      host: null,
      status: null,
      retryable: false,
      retry_said: null,
      retry_after_ms: null,
      external_ids: [],
      compare_with: [],
      remote: null,
      patience_ms: null,
    })
  })

  it('names what was made where the contract says where to look', () => {
    const value = { id: 'T-1', links: { self: 'https://t.example/1' }, error: { charge: 'ch_1' } }
    expect(classifyResult(value, { contract: { ids: IDS } }).external_ids).toEqual([
      { kind: 'ticket', value: 'T-1', url: 'https://t.example/1', scope: 'eu' },
    ])
    expect(classifyResult({ id: 8 }, { contract: { ids: IDS } }).external_ids).toEqual([
      { kind: 'ticket', value: '8', scope: 'eu' },
    ])
    expect(classifyResult({ id: {} }, { contract: { ids: IDS } }).external_ids).toEqual([])
  })

  it('is a refusal where a rule of the service knows it for one, and comes again only where that says so', () => {
    expect(saying('not_applied')).toMatchObject({
      end: 'not_applied',
      rule: 'service:ok=false',
      title: REASON,
      message: REASON,
      category: 'refused',
      retryable: false,
      remote: null,
    })
    expect(saying('not_applied', { retry: true }).retryable).toBe(true)
    expect(saying('ambiguous', { retry: true })).toMatchObject({
      category: 'outcome_unknown',
      retryable: false,
      remote: null,
    })
  })

  it('was taken in where a rule of the service says so, and the id it names is what to ask for', () => {
    const id = { kind: 'ticket', value: 'T-1', scope: 'eu' }
    expect(saying('accepted')).toMatchObject({ end: 'accepted', remote: id, external_ids: [id] })
    const nameless = classifyResult({ ok: false }, { contract: { classify: [ruled('accepted', {})] } })
    expect(nameless).toMatchObject({ end: 'accepted', remote: null, external_ids: [] })
  })

  it.each<[string, ServiceRule['when']]>([
    ['a status', { status: 200, body: { ok: false } }],
    ['a code', { code: 'X', body: { ok: false } }],
    ['a gRPC status', { grpc: 'UNAVAILABLE', body: { ok: false } }],
    ['a header', { header: { x: 'undefined' }, body: { ok: false } }],
    ['another value', { body: { ok: true } }],
  ])('is read by no rule that asks for %s, for it is a body without an answer around it', (_, when) => {
    expect(saying('not_applied', { when }).end).toBe('applied')
  })

  it('is read by the first rule that fits', () => {
    const classify = [
      ruled('applied', { when: { body: { ok: true } } }),
      ruled('ambiguous', {}),
      ruled('applied', {}),
    ]
    expect(classifyResult({ ok: false }, { contract: { classify } }).end).toBe('ambiguous')
  })
})
