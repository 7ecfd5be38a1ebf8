import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.js'
import { takeoverOf } from './support/decisions.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

/** Long beside a commit on a busy disk: a lease that ends before its first byte sends nothing. */
const SHORT_LEASE_MS = 1_500

describe('a lease', () => {
  it('is renewed while the handler runs, so that it never lapses', async () => {
    const { ledger, store } = await aLedger()
    const ends: (number | null)[] = []
    const outcome = await ledger.run(aCall({ leaseMs: 3_000 }), async ({ signal }) => {
      for (let i = 0; i < 4; i++) {
        await pause(1_100)
        ends.push((await recordOf(store)).operation.lease_expires_at)
      }
      return signal.aborted
    })
    expect(outcome).toMatchObject({ status: 'confirmed', result: false })
    expect(new Set(ends).size).toBeGreaterThan(2)
  })

  it('that cannot be renewed lapses: the handler is told to stop, and its receipt still counts', async () => {
    const { ledger, store, warnings } = await aLedger({
      around: unsignalled,
    })
    const outcome = await ledger.run(aCall({ leaseMs: SHORT_LEASE_MS }), async ({ signal }) => {
      await aborted(signal)
      return { id: 'T-1', why: String(signal.reason.message) }
    })
    expect(outcome).toMatchObject({
      status: 'confirmed',
      result: { why: 'the lease of ticket-1 could not be renewed and lapsed' },
    })
    expect(warnings).toMatchObject([{ code: 'hold_lost', operation_id: 'ticket-1' }])
    expect((await recordOf(store)).operation.status).toBe('confirmed')
  })

  it('once lapsed is not renewed, even by a heartbeat', async () => {
    const { ledger } = await aLedger({
      around: unsignalled,
    })
    const outcome = await ledger.run(
      aCall({ leaseMs: SHORT_LEASE_MS }),
      async ({ signal, heartbeat, activity }) => {
        await aborted(signal)
        return [await heartbeat(), await activity()].map(hold => hold.held)
      },
    )
    expect(outcome).toMatchObject({ result: [false, false] })
  })

  it('lapses also while the ledger does not answer at all', async () => {
    const { ledger } = await aLedger({ around: store => ({ ...store, signal: () => new Promise(() => {}) }) })
    const outcome = await ledger.run(aCall({ leaseMs: SHORT_LEASE_MS }), async ({ signal }) => {
      await aborted(signal)
      return signal.aborted
    })
    expect(outcome).toMatchObject({ status: 'confirmed', result: true })
  })

  it('is not asked for again after its end, when this process was busy for too long', async () => {
    let asked = 0
    const signal: Store['signal'] = async () => {
      asked += 1
      return { held: true, lease_expires_at: null, cancel_requested: false }
    }
    const { ledger } = await aLedger({ around: store => ({ ...store, signal }) })
    const outcome = await ledger.run(aCall({ leaseMs: SHORT_LEASE_MS }), async ({ heartbeat }) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SHORT_LEASE_MS + 100)
      return (await heartbeat()).held
    })
    expect([outcome, asked]).toMatchObject([{ status: 'confirmed', result: false }, 0])
  })

  it('that lapsed leaves a failure in doubt, said by the loss', async () => {
    const { ledger, store } = await aLedger({
      around: unsignalled,
    })
    await ledger.run(aCall({ leaseMs: SHORT_LEASE_MS }), async ({ signal }) => {
      await aborted(signal)
      throw signal.reason
    })
    expect((await recordOf(store)).operation).toMatchObject({
      status: 'unknown',
      last_error: { rule: 'hold_lost', message: expect.not.stringMatching(/lapsed.*lapsed/) },
    })
  })

  it('lapsed and found by another: the late receipt confirms', async () => {
    const { ledger, store, path } = await aLedger({
      around: unsignalled,
    })
    const { ledger: other } = await aLedger({ path })
    const end = held<{ id: string }>()
    const first = ledger.run(aCall({ leaseMs: SHORT_LEASE_MS }), () => end.promise)
    const { calls, handler } = counting(1)
    await expect
      .poll(async () => (await other.run(aCall(), handler)).status, { timeout: 30_000 })
      .toBe('unknown')
    end.resolve({ id: 'T-1' })
    expect(await first).toMatchObject({
      status: 'confirmed',
      result: { id: 'T-1' },
      by: 'receipt',
      replayed: false,
    })
    expect(calls).toEqual([])
    const { evidence, attempts } = await recordOf(store)
    expect(evidence.map(({ kind }) => kind)).toEqual(['lease', 'late_result'])
    expect(attempts).toMatchObject([{ end: 'applied' }])
  })
})

describe('before the handler starts', () => {
  it('nothing is sent when writing it down took longer than the lease', async () => {
    let monotonic = 0
    const { ledger, store } = await aLedger({ monotonicMs: () => (monotonic += 60_000) })
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'not_executed' })
    expect(calls).toEqual([])
    const { attempts, evidence, operation } = await recordOf(store)
    expect(attempts).toMatchObject([{ end: 'not_applied' }])
    expect(evidence).toMatchObject([{ kind: 'call_never_made', body: { rule: 'send_by_passed' } }])
    expect(operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
  })

  it('one millisecond sooner it is sent', async () => {
    const looks = [0, 59_999]
    const { ledger } = await aLedger({ monotonicMs: () => looks.shift() ?? 59_999 })
    expect(await ledger.run(aCall(), () => 1)).toMatchObject({ status: 'confirmed' })
  })

  it('nothing is sent when the machine slept meanwhile, which only the wall clock shows', async () => {
    const start = Date.now()
    let isAsleep = false
    const { ledger } = await aLedger({
      clock: () => ({ at: start + (isAsleep ? 3_600_000 : 0), boot_id: '', boot_ms: 0 }),
      around: store => ({
        ...store,
        change: async asked => {
          const changed = await store.change(asked)
          isAsleep = true
          return changed
        },
      }),
    })
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({ status: 'not_executed' })
    expect(calls).toEqual([])
  })
})

describe('a takeover', () => {
  it('while the handler runs tells it to stop; its receipt is late evidence and confirms', async () => {
    const { ledger, store, warnings } = await aLedger()
    const outcome = await ledger.run(aCall(), async ({ signal, heartbeat }) => {
      await takeoverOf(store, 'task-1')
      expect((await recordOf(store)).operation.status).toBe('unknown')
      expect(await heartbeat()).toMatchObject({ held: false })
      return { id: 'T-1', told: signal.aborted }
    })
    expect(outcome).toMatchObject({ status: 'confirmed', result: { id: 'T-1', told: true } })
    expect(warnings).toMatchObject([{ code: 'hold_lost' }])
    const { evidence, operation } = await recordOf(store)
    expect(evidence.map(({ kind }) => kind)).toEqual(['late_result'])
    expect(operation.settled_by).toBe('receipt')
  })

  it('fences the process off: nothing of the task is sent, also after it was handed back', async () => {
    const { ledger, store, path } = await aLedger()
    await ledger.task('task-1')
    await takeoverOf(store, 'task-1')
    const { calls, handler } = counting(1)
    const taken = await ledger.run(aCall(), handler)
    expect(taken).toMatchObject({
      status: 'waiting',
      for: 'person',
      reason: expect.stringContaining('taken over by ana'),
    })
    await takeoverOf(store, 'task-1', 'handback')
    expect(await ledger.run(aCall(), handler)).toMatchObject({
      status: 'waiting',
      for: 'person',
      reason: expect.stringContaining('claimed epoch 1'),
    })
    expect(calls).toEqual([])
    const { ledger: fresh } = await aLedger({ path })
    expect(await fresh.run(aCall(), handler)).toMatchObject({ status: 'confirmed' })
    expect(calls).toEqual([1])
  })
})

describe('a cancel', () => {
  it('of what was never sent is the answer', async () => {
    const { ledger, store } = await aLedger()
    await takeoverOf(store, 'task-1', 'open')
    await ledger.run(aCall({ deadlineAt: 0 }), () => 1)
    await takeoverOf(store, 'task-1', 'cancel')
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall({ deadlineAt: 0 }), handler)).toMatchObject({ status: 'cancelled' })
    expect(calls).toEqual([])
  })

  it('H4: of the task lets nothing further of it begin, also what nobody asked for before', async () => {
    const { ledger, store } = await aLedger()
    await ledger.task('task-1')
    await takeoverOf(store, 'task-1', 'cancel')
    const { calls, handler } = counting(1)
    expect(await ledger.run(aCall(), handler)).toMatchObject({
      status: 'cancelled',
      reason: 'task task-1 is cancelled: nothing further of it begins',
    })
    await expect(ledger.prepare(aCall())).rejects.toMatchObject({
      code: 'refused',
      rule: 'task_not_cancelled',
    })
    expect(calls).toEqual([])
    expect(await store.operation('ticket-1')).toBeNull()
  })

  it('of the task lets what cleans up after it be sent, marked as such, until a person takes the task', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ id: 'lost' }), () => Promise.reject(new Error('reset')))
    await takeoverOf(store, 'task-1', 'cancel')
    const free = aCall({ id: 'free', tool: 'envs.free', cleanup: true })
    expect(await ledger.run(free, () => 'freed')).toMatchObject({ status: 'confirmed', result: 'freed' })
    expect((await recordOf(store, 'free')).operation.flags).toEqual({ cleanup: true })
    await takeoverOf(store, 'task-1')
    const { calls, handler } = counting(1)
    const more = aCall({ id: 'more', tool: 'envs.free', cleanup: true })
    expect(await ledger.run(more, handler)).toMatchObject({ status: 'waiting', for: 'person' })
    expect(calls).toEqual([])
  })

  it.each([
    ['confirmed', ended],
    ['unknown', failing],
  ] as const)(
    'H1: while the handler runs leaves what happened: %s, and no attempt follows',
    async (status, end) => {
      const { ledger, store } = await aLedger()
      const keyed = { kind: 'idempotency_key', retention_ms: 86_400_000 } as const
      const call = aCall({ repeat: keyed, retry: { base_ms: 0 } })
      const outcome = await ledger.run<string>(call, async () => {
        await takeoverOf(store, 'task-1', 'cancel')
        return end()
      })
      expect(outcome).toMatchObject({ status })
      const { operation } = await recordOf(store)
      expect(operation).toMatchObject({ status, cancel_requested_at: expect.any(Number), attempt: 1 })
      const { calls, handler } = counting('twice')
      expect(await ledger.run<string>(call, handler)).toMatchObject({ status })
      expect(await ledger.record('send', { operation_id: 'ticket-1' })).toMatchObject({ ok: false, status })
      expect(calls).toEqual([])
    },
  )

  it('while the handler runs is told by the next sign of life, and proves nothing undone', async () => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall(), async ({ heartbeat, signal }) => {
      await takeoverOf(store, 'task-1', 'cancel')
      return { told: await heartbeat(), aborted: signal.aborted }
    })
    expect(outcome).toMatchObject({
      status: 'confirmed',
      result: { told: { held: true, cancel_requested: true }, aborted: false },
    })
  })
})

function ended(): Promise<string> {
  return Promise.resolve('done')
}

function failing(): Promise<string> {
  return Promise.reject(new Error('timeout'))
}

/** A ledger in which no sign of life can be written. */
function unsignalled(store: Store): Store {
  return { ...store, signal: () => Promise.reject(new Error('disk gone')) }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve()))
}
