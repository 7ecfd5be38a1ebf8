import { describe, expect, it } from 'vitest'
import { byName, NO_CONFIG } from '../../src/config/config.js'
import { type Call, intentOf } from '../../src/ledger/call.js'
import { aCall } from '../execute/support/ledgers.js'

describe('a call', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['a name that means nothing', { timeoutMS: 5 }, /"timeoutMS" means nothing here/],
    ['no id', { id: undefined }, /"id" is missing/],
    ['an empty id', { id: '' }, /operation id is empty/],
    ['an id with a line feed', { id: 'a\nb' }, /operation id has control characters/],
    ['an id of half a surrogate pair', { id: '\ud800' }, /"id" must be well-formed/],
    ['an id too long by a byte', { id: 'é'.repeat(256).concat('x') }, /operation id has 513 bytes/],
    ['no task', { task: undefined }, /"task" is missing/],
    ['an empty tool', { tool: '' }, /"tool" is empty/],
    ['a tool that is no text', { tool: 5 }, /"tool" must be well-formed text/],
    ['an effect that is none', { effect: 'bad' }, /"effect" must be one of read, reversible/],
    ['a repeat without a kind', { repeat: {} }, /"repeat" must have a kind/],
    ['a repeat of a kind from nowhere', { repeat: { kind: 'constructor' } }, /"repeat" must have a kind/],
    ['a key without its retention', { repeat: { kind: 'idempotency_key' } }, /"retention_ms" is missing/],
    [
      'a negative retention',
      { repeat: { kind: 'idempotency_key', retention_ms: -1 } },
      /"retention_ms" must be a whole number/,
    ],
    ['a misspelt contract', { contract: { settleMs: 1 } }, /"settleMs" means nothing here/],
    ['a rule that knows nothing', rule({ when: {} }), /must name something to tell the answer by/],
    [
      'a rule with a wrong status',
      rule({ when: { status: 99 } }),
      /"status" must be a whole number from 100/,
    ],
    ['a rule with wrong statuses', rule({ when: { status: [500, 600] } }), /"status" must be a whole number/],
    ['a rule with an empty list', rule({ when: { code: [] } }), /"code" must be/],
    ['a rule of no gRPC status', rule({ when: { grpc: 'LOST' } }), /"grpc" must be one of OK, CANCELLED/],
    ['a rule with a header that is no text', rule({ when: { header: { a: 1 } } }), /"header" must be/],
    [
      'a rule with a body that is no value',
      rule({ when: { body: { a: {} } } }),
      /"body" must be a text, a number/,
    ],
    ['a rule without an end', rule({ end: undefined }), /"end" is missing/],
    ['a rule with an end of its own', rule({ end: 'failed' }), /"end" must be one of applied/],
    ['a rule without a reason', rule({ reason: '' }), /"reason" is empty/],
    ['a rule that may be tried again perhaps', rule({ retry: 'yes' }), /"retry" must be true or false/],
    ['rules that are no list', { contract: { classify: {} } }, /"classify" must be a list/],
    ['an id without a place', { contract: { ids: [{ kind: 'x' }] } }, /must have either path or pattern/],
    [
      'an id somewhere else',
      { contract: { ids: [{ kind: 'x', path: 'a', in: 'header' }] } },
      /"in" must be one of/,
    ],
    ['a service that queues not', { contract: { queues: false } }, /"queues" must be true, or left out/],
    ['a contract with a wrong bound', { contract: { arrival_bound_ms: 'ever' } }, /"arrival_bound_ms"/],
    ['an amount that is no number', { amount: Number.NaN }, /"amount" must be a finite number/],
    ['no attempts', { maxAttempts: 0 }, /"maxAttempts" must be a whole number from 1/],
    ['a deadline as text', { deadlineAt: '2026-01-01' }, /"deadlineAt" must be integer milliseconds/],
    ['a timeout no timer can wait for', { timeoutMs: 2 ** 31 }, /"timeoutMs" must be a whole number/],
    ['a lease shorter than a write', { leaseMs: 99 }, /"leaseMs" must be a whole number from 100/],
    ['links that are no texts', { links: [1] }, /"links" must be a list of texts/],
    ['an input of too many levels', { input: levels(501) }, /"input": it is nested more than 500/],
    [
      'a contract of too many levels',
      { contract: { probe: { deep: levels(501) } } },
      /"contract": it is nested more than 500/,
    ],
    ['an input that JSON cannot hold', { input: { n: 1n } }, /canonical JSON/],
  ])('is refused, named, with %s', (_, over, message) => {
    const call = { ...aCall(), ...over } as unknown as Call
    expect(() => intentOf({ config: NO_CONFIG }, call)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) }),
    )
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
  ])('is refused when it is %s', (_, call) => {
    expect(() => intentOf({ config: NO_CONFIG }, call as never)).toThrow(/an object is wanted/)
  })

  it('at its limits is taken', () => {
    const call = aCall({
      id: 'é'.repeat(256),
      leaseMs: 100,
      timeoutMs: 2 ** 31 - 1,
      maxAttempts: 1_000,
      deadlineAt: 0,
    })
    expect(intentOf({ config: NO_CONFIG }, call)).toMatchObject({
      operation_id: 'é'.repeat(256),
      deadline_at: 0,
    })
  })

  it('says nothing more than it was given: no repeat is safe, the effect is undeclared', () => {
    expect(intentOf({ config: NO_CONFIG }, aCall())).toMatchObject({
      effect: null,
      repeat: null,
      contract: {},
      amount: null,
      max_attempts: 3,
      deadline_at: null,
      timeout_ms: null,
      provenance: 'library',
      key_scope: 'tickets.create',
    })
  })

  it('takes the input as JSON holds it', () => {
    const input = { at: new Date(0), left: undefined, list: [undefined] } as never
    expect(intentOf({ config: NO_CONFIG }, aCall({ input })).input).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      list: [null],
    })
  })

  it.each<[string, object]>([
    ['a function', { send: () => 1 }],
    ['what says that it has no JSON form', { sent: { toJSON: () => undefined } }],
    ['a list with a hole', new Array(2)],
  ])('refuses %s in its input as what JSON cannot hold', (_, input) => {
    const meant = () => intentOf({ config: NO_CONFIG }, aCall({ input: input as never }))
    expect(meant).toThrow(expect.objectContaining({ code: 'invalid_input', path: 'input' }))
  })

  it('has the same key after a restart, and another for another id', () => {
    const keyOf = (id: string) => intentOf({ config: NO_CONFIG }, aCall({ id })).idempotency_key
    expect(keyOf('a')).toBe(keyOf('a'))
    expect(keyOf('a')).not.toBe(keyOf('b'))
  })
})

describe('the configuration of its tool', () => {
  const config = {
    ...NO_CONFIG,
    tools: byName([
      [
        'tickets.create',
        {
          effect: 'compensable' as const,
          repeat: { kind: 'idempotency_key' as const, retention_ms: 1_000, scope: 'acme' },
          contract: { settle_ms: 5, arrival_bound_ms: 7 },
          timeout_ms: 9_000,
          max_attempts: 7,
          amount: 'order.total',
          digest_ignore: ['at'],
        },
      ],
    ]),
  }

  it('stands in for what the call does not say', () => {
    const intent = intentOf({ config }, aCall({ input: { order: { total: 12.5 }, at: 1 } }))
    expect(intent).toMatchObject({
      effect: 'compensable',
      repeat: { kind: 'idempotency_key', retention_ms: 1_000 },
      key_scope: 'acme',
      contract: { settle_ms: 5, arrival_bound_ms: 7 },
      timeout_ms: 9_000,
      max_attempts: 7,
      amount: 12.5,
    })
    const later = intentOf({ config }, aCall({ input: { order: { total: 12.5 }, at: 2 } }))
    expect(later.input_digest).toBe(intent.input_digest)
  })

  it('gives way to what the call says', () => {
    const intent = intentOf(
      { config },
      aCall({
        effect: 'read',
        repeat: { kind: 'none' },
        contract: { settle_ms: 6 },
        timeoutMs: 1,
        maxAttempts: 1,
        amount: 3,
      }),
    )
    expect(intent).toMatchObject({
      effect: 'read',
      repeat: { kind: 'none' },
      key_scope: 'tickets.create',
      contract: { settle_ms: 6, arrival_bound_ms: 7 },
      timeout_ms: 1,
      max_attempts: 1,
      amount: 3,
    })
  })
})

function rule(over: object) {
  return {
    contract: { classify: [{ when: { status: 500 }, end: 'ambiguous', reason: 'it says so', ...over }] },
  }
}

function levels(count: number): unknown {
  return JSON.parse('['.repeat(count) + ']'.repeat(count))
}
