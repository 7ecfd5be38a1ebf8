import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import type { HandlerContext } from '../../src/execute/handler.js'
import { startService } from '../../src/testing/index.js'
import { aCall, aLedger, counting, held, recordOf } from './support/ledgers.js'

function hostile(): object {
  return new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      getPrototypeOf: () => {
        throw new Error('no')
      },
      ownKeys: () => {
        throw new Error('no')
      },
    },
  )
}

function mute(): Error {
  return Object.defineProperty(new Error('x'), 'message', {
    get: () => {
      throw new Error('no')
    },
  })
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('a handler that fails', () => {
  it.each([
    ['an error', new Error('socket hang up'), 'socket hang up'],
    ['undefined', undefined, 'a thrown undefined: undefined'],
    ['null', null, 'a thrown object: null'],
    ['a text', 'no luck', 'a thrown string: no luck'],
    ['a number', 503, 'a thrown number: 503'],
    ['a symbol', Symbol('x'), 'a thrown symbol: Symbol(x)'],
    ['an object without a prototype', Object.create(null), 'a thrown object: {}'],
    ['an object that hides everything', hostile(), 'a thrown value that cannot be shown'],
    ['an error whose message throws', mute(), 'an error without a message'],
    ['an error with an empty message', new Error(''), 'an error without a message'],
  ])('by throwing %s leaves it in doubt, with what it said', async (_, thrown, message) => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall(), () => {
      throw thrown
    })
    expect(outcome).toMatchObject({ status: 'unknown' })
    const { operation, attempts, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'unknown', may_have_applied: true })
    expect(operation.last_error).toMatchObject({
      rule: 'thrown',
      message: expect.stringContaining(message),
      attempt: 1,
    })
    expect(attempts).toMatchObject([{ end: 'ambiguous' }])
    expect(evidence).toMatchObject([{ kind: 'error', origin: 'observed', body: { end: 'ambiguous' } }])
  })

  it('keeps a long message short, and says how long it was', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall(), () => Promise.reject(new Error(`${'x'.repeat(50_000)}\0\ud800`)))
    const { message = '' } = (await recordOf(store)).operation.last_error ?? {}
    expect(message.length).toBeLessThan(2_100)
    expect(message).toMatch(/… \(50002 characters\)$/)
  })

  it('with notExecuted() is settled as not executed', async () => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall(), () => Promise.reject(notExecuted('over quota')))
    expect(outcome).toMatchObject({ status: 'not_executed', reason: 'over quota' })
    const { operation, attempts, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ status: 'not_executed', may_have_applied: false })
    expect(attempts).toMatchObject([{ end: 'not_applied' }])
    expect(evidence).toMatchObject([{ kind: 'error', body: { rule: 'said_not_executed' } }])
  })

  it('is in doubt all the same when it named an external id before', async () => {
    const { ledger, store } = await aLedger()
    const outcome = await ledger.run(aCall(), ({ externalId }) => {
      void externalId('ticket', 'T-1')
      throw notExecuted('over quota')
    })
    expect(outcome).toMatchObject({ status: 'unknown' })
    const { operation, external_ids } = await recordOf(store)
    expect(operation.last_error).toMatchObject({ rule: 'id_named' })
    expect(external_ids).toEqual([{ kind: 'ticket', value: 'T-1' }])
  })

  it('by a connection that is refused is not executed, through fetch as well', async () => {
    const { ledger, store } = await aLedger()
    const port = await freePort()
    const outcome = await ledger.run(aCall(), () =>
      fetch(`http://127.0.0.1:${port}/tickets`, { method: 'POST' }),
    )
    expect(outcome).toMatchObject({ status: 'not_executed' })
    expect((await recordOf(store)).operation.last_error).toMatchObject({
      rule: 'connect_refused',
      code: 'ECONNREFUSED',
      host: '127.0.0.1',
    })
  })

  it('by a child process that was killed is in doubt, with what it said', async () => {
    const { ledger, store } = await aLedger()
    const script = 'process.stdout.write("sent 3 of 5"); process.kill(process.pid, "SIGKILL")'
    const outcome = await ledger.run(aCall(), () => promisify(execFile)(process.execPath, ['-e', script]))
    expect(outcome).toMatchObject({ status: 'unknown' })
    expect((await recordOf(store)).operation.last_error?.message).toContain('Command failed')
  })

  it('by a name that nobody knows is not executed', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall(), () => fetch('http://no-such-host.invalid/tickets', { method: 'POST' }))
    expect((await recordOf(store)).operation).toMatchObject({
      status: 'not_executed',
      last_error: { rule: 'host_not_found' },
    })
  })

  it.each(['drop_request', 'drop_response', 'cut_response'] as const)(
    'by a service that does %s is in doubt, whether it worked or not',
    async kind => {
      const service = await startService({ faults: [{ action: 'create', fault: { kind } }] })
      const { ledger, store } = await aLedger()
      const outcome = await ledger.run(aCall(), async () => {
        const response = await fetch(`${service.url}/tickets`, { method: 'POST', body: '{"title":"x"}' })
        return response.json()
      })
      expect(outcome).toMatchObject({ status: 'unknown' })
      expect((await recordOf(store)).operation.may_have_applied).toBe(true)
      expect(service.effects().length).toBe(kind === 'drop_request' ? 0 : 1)
      await service.close()
    },
  )
})

describe('a time limit', () => {
  it('ends a run whose handler never settles, in doubt', async () => {
    const { ledger, store } = await aLedger()
    const aborted = held<unknown>()
    const outcome = await ledger.run(aCall({ timeoutMs: 30 }), ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve(signal.reason))
      return new Promise(() => {})
    })
    expect(outcome).toMatchObject({ status: 'unknown' })
    expect(await aborted.promise).toMatchObject({ name: 'TimeoutError' })
    expect((await recordOf(store)).operation.last_error).toMatchObject({
      rule: 'timeout',
      message: 'the handler gave no answer within 30 ms',
    })
  })

  it('tells a handler that was given up, by whatever it asks, that it holds nothing any more', async () => {
    const { ledger } = await aLedger()
    const given = held<HandlerContext>()
    await ledger.run(aCall({ timeoutMs: 30 }), context => {
      given.resolve(context)
      return new Promise(() => {})
    })
    const { heartbeat, activity, progress } = await given.promise
    const lost = { held: false, cancel_requested: false }
    expect([await heartbeat(), await activity(), await progress(1)]).toEqual([lost, lost, lost])
  })

  it('keeps what the handler says when it is told to stop', async () => {
    const { ledger, store } = await aLedger()
    await ledger.run(aCall({ timeoutMs: 30 }), ({ signal }) => {
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped at byte 7'))),
      )
    })
    expect((await recordOf(store)).operation.last_error).toMatchObject({
      rule: 'timeout',
      message: 'the handler gave no answer within 30 ms: stopped at byte 7',
    })
  })

  it('does not turn a receipt away that comes while the handler is told to stop', async () => {
    const { ledger } = await aLedger()
    const outcome = await ledger.run(aCall({ timeoutMs: 30 }), ({ signal }) => {
      return new Promise(resolve => signal.addEventListener('abort', () => resolve({ id: 'T-1' })))
    })
    expect(outcome).toMatchObject({ status: 'confirmed', result: { id: 'T-1' } })
  })

  it('loses no receipt that comes after the answer was given up: it confirms', async () => {
    const { ledger, store } = await aLedger()
    const end = held<{ id: string }>()
    const outcome = await ledger.run(aCall({ timeoutMs: 20 }), () => end.promise)
    expect(outcome).toMatchObject({ status: 'unknown' })
    end.resolve({ id: 'T-1' })
    await expect.poll(async () => (await recordOf(store)).operation.status).toBe('confirmed')
    const { operation, attempts, evidence } = await recordOf(store)
    expect(operation).toMatchObject({ result: { id: 'T-1' }, settled_by: 'receipt' })
    expect(attempts).toMatchObject([{ end: 'applied' }])
    expect(evidence.map(({ kind }) => kind)).toEqual(['error', 'late_result'])
    expect(await ledger.run(aCall(), counting(1).handler)).toMatchObject({
      status: 'confirmed',
      replayed: true,
    })
  })
})
