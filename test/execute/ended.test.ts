import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/core/redact/redact.js'
import { endOf } from '../../src/execute/ended.js'
import { failure } from '../core/classify/support/thrown.js'

function endAfter(thrown: unknown, stopped: Parameters<typeof endOf>[0]['stopped'] = null) {
  const settled = { kind: 'threw', thrown } as const
  const run = { sent: { n: 1, fence: 2 }, settled, stopped, external_ids: [], contract: {}, at: 0 }
  return endOf(run, createRedactor()).ended
}

describe('what is told of trying again', () => {
  const refused = (headers: Record<string, string>, status = 429) =>
    failure({ response: { status, headers } })

  it('goes along with the end, with the wait that was asked for', () => {
    expect(endAfter(refused({ 'retry-after': '2' }))).toMatchObject({
      end: 'not_applied',
      retry: { retryable: true, retry_after_ms: 2_000 },
    })
    expect(endAfter(refused({ 'retry-after': '2' }, 503))).toMatchObject({
      end: 'ambiguous',
      retry: { retryable: false, retry_after_ms: 2_000 },
    })
  })

  it('is nothing where the service forbids it, or where the handler did not stop', () => {
    expect(endAfter(refused({ 'stripe-should-retry': 'false' }, 500))).not.toHaveProperty('retry')
    expect(endAfter(refused({ 'stripe-should-retry': 'false' }))).not.toHaveProperty('retry')
    const run = {
      sent: { n: 1, fence: 2 },
      settled: null,
      stopped: null,
      external_ids: [],
      contract: {},
      at: 0,
    }
    expect(endOf(run, createRedactor()).ended).not.toHaveProperty('retry')
  })
})

describe('a handler that was told to stop', () => {
  const stopped = { rule: 'timeout', message: 'no answer within 5 ms' } as const

  it('is lost by that, whatever it threw then', () => {
    expect(endAfter(failure({ code: 'ECONNRESET' }), stopped)).toMatchObject({
      end: 'ambiguous',
      error: { rule: 'timeout', code: 'ECONNRESET', message: 'no answer within 5 ms: it failed' },
    })
  })

  it('is still believed where it had never begun, or where the service had taken it in', () => {
    expect(endAfter(failure({ code: 'ECONNREFUSED' }), stopped)).toMatchObject({ end: 'not_applied' })
    expect(endAfter(failure({ code: 'ECONNRESET', response: { status: 202 } }), stopped)).toMatchObject({
      end: 'accepted',
      remote: null,
    })
  })
})
