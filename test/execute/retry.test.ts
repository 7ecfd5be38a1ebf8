import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import type { Repeat } from '../../src/core/operation.js'
import { systemClock } from '../../src/host.js'
import { testClock } from '../../src/testing/index.js'
import { takeoverOf } from './support/decisions.js'
import { aCall, aLedger, counting, recordOf } from './support/ledgers.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }
const AT_ONCE = { base_ms: 0 }
const BY_HAND = { waitForRetryMs: 0 }

describe('a refusal of the moment', () => {
  it('is tried again by run itself, under the same key, until it is taken', async () => {
    const { ledger, store } = await aLedger()
    const keys = new Set<string>()
    const outcome = await ledger.run(aCall({ retry: AT_ONCE }), ({ attempt, idempotencyKey, previous }) => {
      keys.add(idempotencyKey)
      if (attempt < 3) throw refusedConnection()
      return { ends: previous.attempts.map(({ end }) => end) }
    })
    expect(outcome).toMatchObject({
      status: 'confirmed',
      result: { ends: ['not_applied', 'not_applied'] },
      replayed: false,
    })
    expect(keys.size).toBe(1)
    const { operation, attempts } = await recordOf(store)
    expect(attempts.map(({ end }) => end)).toEqual(['not_applied', 'not_applied', 'applied'])
    expect(operation).toMatchObject({ next_attempt_at: null, retry_reason: null })
    expect(await typesOf(store)).toEqual([
      ...['prepare', 'send', 'schedule_retry', 'send', 'schedule_retry', 'send', 'confirm'],
    ])
  })

  it('whose retry is due later than run may wait answers until when, and is not sent before', async () => {
    const clock = testClock(Date.now())
    const { ledger, store } = await aLedger({ clock })
    const call = aCall({ retry: { base_ms: 60_000, cap_ms: 60_000 } })
    const first = await ledger.run({ ...call, ...BY_HAND }, () => Promise.reject(refusedConnection()))
    const { operation } = await recordOf(store)
    expect(first).toMatchObject({
      status: 'waiting',
      for: 'retry',
      until: operation.next_attempt_at,
      reason: 'attempt 2 of 3',
    })
    expect(operation.status).toBe('prepared')
    const { calls, handler } = counting('done')
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'waiting', for: 'retry' })
    expect(calls).toEqual([])
    clock.advance((operation.next_attempt_at ?? 0) - clock().at)
    expect(await ledger.run(call, handler)).toMatchObject({ status: 'confirmed', result: 'done' })
    expect(calls).toEqual([2])
  })

  it('that is final, or that nobody can tell, is not tried again', async () => {
    const { ledger, store } = await aLedger()
    const { calls, handler } = counting(undefined)
    const failing = (error: Error) => (context: { attempt: number }) => {
      handler(context)
      throw error
    }
    expect(await ledger.run(aCall(), failing(notExecuted('over quota')))).toMatchObject({
      status: 'not_executed',
    })
    expect(await ledger.run(aCall({ id: 'b' }), failing(new Error('reset')))).toMatchObject({
      status: 'unknown',
    })
    expect(calls).toEqual([1, 1])
    expect((await store.task('task-1'))?.status).toBe('running')
  })

  it('told by another program is scheduled with what the service asked for', async () => {
    const clock = testClock(Date.now())
    const { ledger, store } = await aLedger({ clock })
    await ledger.prepare(aCall())
    const sent = await ledger.send('ticket-1')
    if (!sent.sent) throw new Error('it is sent')
    const told = await ledger.reject(sent.sending, {
      reason: '429',
      retryable: true,
      retry_after_ms: 120_000,
    })
    expect(told).toMatchObject({ status: 'prepared', held: true })
    expect((await recordOf(store)).operation).toMatchObject({
      next_attempt_at: clock().at + 120_000,
      retry_reason: 'attempt 2 of 3; the service asked to wait 120000 ms',
    })
  })
})

describe('a lost answer', () => {
  it('whose repeat is safe is sent again by run itself under the same key', async () => {
    const { ledger, store } = await aLedger()
    const keys = new Set<string>()
    const outcome = await ledger.run(
      aCall({ repeat: KEYED, retry: AT_ONCE }),
      ({ attempt, idempotencyKey }) => {
        keys.add(idempotencyKey)
        if (attempt === 1) throw new Error('socket hang up')
        return 'done'
      },
    )
    expect(outcome).toMatchObject({ status: 'confirmed', result: 'done' })
    expect(keys.size).toBe(1)
    expect(await typesOf(store)).toEqual(['prepare', 'send', 'lose', 'resend', 'send', 'confirm'])
  })

  it('waiting for its repeat stays listed as in doubt', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ repeat: KEYED, retry: { base_ms: 60_000, cap_ms: 60_000 }, ...BY_HAND })
    const lost = await ledger.run(call, () => Promise.reject(new Error('socket hang up')))
    expect(lost).toMatchObject({ status: 'waiting', for: 'retry' })
    expect((await recordOf(store)).operation).toMatchObject({ status: 'prepared', may_have_applied: true })
  })

  it('is not sent again while its handler may still be at it', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ repeat: KEYED, retry: AT_ONCE, timeoutMs: 20 })
    const { calls, handler } = counting(undefined)
    const outcome = await ledger.run(call, context => {
      handler(context)
      return new Promise(() => {})
    })
    expect(outcome).toMatchObject({ status: 'unknown', next_action: { next_action: 'resend_same_key' } })
    expect(calls).toEqual([1])
    expect(await typesOf(store)).toEqual(['prepare', 'send', 'lose'])
  })
})

describe('a spent budget', () => {
  it('ends in not_executed and pauses the task, and nothing else of it is sent', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ retry: AT_ONCE, maxAttempts: 2 })
    expect(await ledger.run(call, () => Promise.reject(refusedConnection()))).toMatchObject({
      status: 'not_executed',
    })
    expect(await store.task('task-1')).toMatchObject({
      status: 'budget_exhausted',
      status_reason: 'all 2 attempts are used',
      closed_at: null,
    })
    const { operation, attempts } = await recordOf(store)
    expect(attempts).toHaveLength(2)
    expect(operation.flags.budget_spent).toBe('all 2 attempts are used')
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall({ id: 'next' }), handler)).toMatchObject({ status: 'waiting' })
    expect(calls).toEqual([])
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('by a lost answer ends in unknown, and pauses the task', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ repeat: KEYED, retry: AT_ONCE, maxAttempts: 2 })
    expect(await ledger.run(call, () => Promise.reject(new Error('reset')))).toMatchObject({
      status: 'unknown',
    })
    expect((await recordOf(store)).attempts).toHaveLength(2)
    expect((await store.task('task-1'))?.status).toBe('budget_exhausted')
  })

  it('is lifted by an attempt that a person grants: the task runs on', async () => {
    const { ledger, store } = await aLedger()
    const call = aCall({ retry: AT_ONCE, maxAttempts: 1 })
    await ledger.run(call, () => Promise.reject(refusedConnection()))
    const { operation } = await recordOf(store)
    await store.change({
      operation_id: 'ticket-1',
      by: { actor: 'ana', clock: () => systemClock()() },
      isOwnerGone: () => false,
      onRefusal: 'undo',
      plan: () => [
        {
          request: {
            type: 'allow_retry',
            reason: 'the service is back',
            expected_version: operation.version,
            accept_duplicate: null,
          },
        },
      ],
    })
    expect(await store.task('task-1')).toMatchObject({ status: 'running', status_reason: null })
    expect(await ledger.run(call, () => 'done')).toMatchObject({ status: 'confirmed' })
    expect((await recordOf(store)).operation.flags).toEqual({})
  })

  it('by one refusal that is final pauses nothing', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ maxAttempts: 1 }), () => Promise.reject(notExecuted('no such queue')))
    expect((await store.task('task-1'))?.status).toBe('running')
  })
})

describe('a retry that waits', () => {
  it.each([
    ['cancel', { status: 'not_executed' }],
    ['takeover', { status: 'waiting', for: 'person' }],
  ] as const)('is not sent after a %s', async (decision, expected) => {
    const { ledger, store } = await aLedger()
    // another operation took the only token, so that this one must wait for the next
    const retry = { base_ms: 0, quota: { retries: 1, per_ms: 500 } }
    const refused = () => Promise.reject(refusedConnection())
    await ledger.run(aCall({ id: 'first', task: 'task-2', retry, ...BY_HAND }), refused)
    const { calls, handler } = counting(undefined)
    const running = ledger.run(aCall({ retry }), async context => {
      handler(context)
      throw refusedConnection()
    })
    await expect
      .poll(() => store.operation('ticket-1').then(found => found?.attempts[0]?.end))
      .toBe('not_applied')
    await takeoverOf(store, 'task-1', decision)
    expect(await running).toMatchObject(expected)
    expect(calls).toEqual([1])
  })

  it('draws on the quota of its destination, which all processes of the ledger share', async () => {
    const clock = testClock(Date.now())
    const { ledger, store, path } = await aLedger({ clock })
    const { ledger: other } = await aLedger({ path, clock })
    const retry = { base_ms: 0, quota: { retries: 1, per_ms: 10_000, destination: 'tickets.example' } }
    const call = (id: string) => aCall({ id, retry, ...BY_HAND })
    const refused = () => Promise.reject(refusedConnection())
    await ledger.run(call('a'), refused)
    await other.run(call('b'), refused)
    await ledger.run(call('c'), refused)
    const due = async (id: string) =>
      ((await recordOf(store, id)).operation.next_attempt_at ?? 0) - clock().at
    expect([await due('a'), await due('b'), await due('c')]).toEqual([0, 10_000, 20_000])
  })
})

/** What a connection that is refused throws: nothing was sent. */
function refusedConnection(): Error {
  return Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
}

async function typesOf(store: Awaited<ReturnType<typeof aLedger>>['store']): Promise<string[]> {
  const events = await store.events({ about: { operation_id: 'ticket-1' }, limit: 50 })
  return events.map(({ type }) => type)
}
