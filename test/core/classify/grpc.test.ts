import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classify/classify.js'
import { grpcIn } from '../../../src/core/classify/grpc-facts.js'
import { failure, grpcError } from './support/thrown.js'

describe('a gRPC status', () => {
  it.each([
    [1, 'CANCELLED', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [2, 'UNKNOWN', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [3, 'INVALID_ARGUMENT', 'not_applied', 'grpc_invalid', 'invalid_input'],
    [4, 'DEADLINE_EXCEEDED', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [5, 'NOT_FOUND', 'not_applied', 'grpc_refused', 'refused'],
    [6, 'ALREADY_EXISTS', 'ambiguous', 'grpc_compare', 'conflict'],
    [7, 'PERMISSION_DENIED', 'not_applied', 'grpc_not_allowed', 'auth'],
    [8, 'RESOURCE_EXHAUSTED', 'not_applied', 'grpc_rate_limited', 'rate_limited'],
    [9, 'FAILED_PRECONDITION', 'not_applied', 'grpc_refused', 'refused'],
    [10, 'ABORTED', 'not_applied', 'grpc_aborted', 'conflict'],
    [11, 'OUT_OF_RANGE', 'not_applied', 'grpc_invalid', 'invalid_input'],
    [12, 'UNIMPLEMENTED', 'not_applied', 'grpc_refused', 'refused'],
    [13, 'INTERNAL', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [14, 'UNAVAILABLE', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [15, 'DATA_LOSS', 'ambiguous', 'grpc_lost', 'outcome_unknown'],
    [16, 'UNAUTHENTICATED', 'not_applied', 'grpc_not_allowed', 'auth'],
  ])('%i %s is %s', (number, code, end, rule, category) => {
    expect(classify(grpcError(number))).toMatchObject({ end, rule, category, code })
  })

  it('made by the client of a reply that came says that the call was carried out, so nothing is certain', () => {
    const unread = { end: 'ambiguous', rule: 'grpc_reply_unread', retryable: false }
    expect(classify(grpcError(8, 'Received message larger than max (5 vs. 4)'))).toMatchObject(unread)
    expect(classify(grpcError(12, 'Too many responses received'))).toMatchObject(unread)
    expect(classify(grpcError(3, 'No message received')).rule).toBe('grpc_invalid')
  })

  it('is one only as a number with metadata', () => {
    expect(classify(failure({ code: 3 })).rule).toBe('thrown')
    for (const code of [0, 17, -1, 1.5]) expect(grpcIn(failure({ code, metadata: {} }))).toBeNull()
    expect(classify(failure({ code: 3, metadata: null })).rule).toBe('thrown')
    expect(classify(failure({ code: '3', metadata: {} })).rule).toBe('thrown')
    expect(classify(failure({ code: 3, metadata: new Headers(), rawMessage: 'x' })).rule).toBe('grpc_invalid')
  })

  it('is read with its details and its metadata, from every client', () => {
    const read = (over: object) => grpcIn(failure({ code: 8, ...over }))
    const plain = { 'x-a': '1' }
    expect(read({ metadata: plain, details: 'd', rawMessage: 'r' })).toMatchObject({
      details: 'd',
      metadata: plain,
    })
    expect(read({ metadata: new Headers(plain), rawMessage: 'r' })).toMatchObject({
      details: 'r',
      metadata: plain,
    })
    expect(read({ metadata: { getMap: (...given: unknown[]) => ({ given: given.length }) } })).toMatchObject({
      details: '',
      metadata: { given: '0' },
    })
    const hostile = Object.defineProperty({}, 'getMap', {
      get: () => {
        throw new Error('no')
      },
    })
    expect({ ...read({ metadata: hostile })?.metadata }).toEqual({})
  })

  it('may be sent again at once only where the limit refused it', () => {
    const again = Array.from({ length: 16 }, (_, i) => i + 1).filter(n => classify(grpcError(n)).retryable)
    expect(again).toEqual([8])
  })

  it('means what the contract of the service says, by its name and its metadata', () => {
    const own = {
      when: { grpc: ['UNAVAILABLE'], header: { 'x-began': 'no' } },
      end: 'not_applied',
      reason: 'so',
    } as const
    const read = (metadata: Record<string, string>) =>
      classify(grpcError(14, '', metadata), { contract: { classify: [own] } })
    expect(read({ 'x-began': 'no' })).toMatchObject({
      end: 'not_applied',
      rule: 'service:UNAVAILABLE+x-began=no',
    })
    expect(read({ 'x-began': 'yes' })).toMatchObject({ end: 'ambiguous', rule: 'grpc_lost' })
  })

  it('asks by its metadata to wait, or not to retry', () => {
    const pushed = (ms: string) => classify(grpcError(8, '', { 'grpc-retry-pushback-ms': ms }))
    expect(pushed('1500')).toMatchObject({ retryable: true, retry_after_ms: 1_500 })
    expect(pushed('0')).toMatchObject({ retryable: true, retry_after_ms: 0 })
    expect(pushed('-1')).toMatchObject({ retryable: false, retry_said: false, retry_after_ms: null })
    expect(pushed('soon')).toMatchObject({ retryable: false, retry_after_ms: null })
    expect(pushed('15 s')).toMatchObject({ retryable: false, retry_after_ms: null })
  })
})
