import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { notExecuted } from '../../src/core/classify/not-executed.js'
import type { Repeat } from '../../src/core/operation.js'
import { testClock } from '../../src/testing/index.js'
import { aDirectory } from '../store/support/places.js'
import { takeoverOf } from './support/decisions.js'
import { aCall, aLedger, held, recordOf } from './support/ledgers.js'

const KEYED: Repeat = { kind: 'idempotency_key', retention_ms: 86_400_000 }
const IDLE = { until: 'idle' } as const

describe('an intent written down in the transaction of the application', () => {
  it('is there with what the application commits, and is sent by a dispatcher', async () => {
    const { ledger, store, path } = await aLedger()
    const database = anApplication(path)
    const order = database.transaction(() => {
      database.prepare('insert into orders values (9)').run()
      return ledger.prepareIn(database, aCall({ input: { order: 9 } }))
    })
    expect(order.immediate()).toMatchObject({ operation_id: 'ticket-1', status: 'prepared' })
    expect(ordersIn(database)).toEqual([9])
    const seen: unknown[] = []
    const handlers = {
      'tickets.create': (operation: object, { attempt }: { attempt: number }) => {
        seen.push({ ...operation, attempt })
        return { id: 'T-1' }
      },
    }
    expect(await ledger.dispatch({ handlers, ...IDLE })).toEqual({ outcomes: { confirmed: 1 }, left: {} })
    expect(seen).toEqual([
      {
        operation_id: 'ticket-1',
        task_id: 'task-1',
        tool: 'tickets.create',
        target: null,
        input: { order: 9 },
        attempt: 1,
      },
    ])
    expect((await recordOf(store)).operation).toMatchObject({ status: 'confirmed', result: { id: 'T-1' } })
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('is gone with what the application takes back', async () => {
    const { ledger, store, path } = await aLedger()
    const database = anApplication(path)
    const order = database.transaction(() => {
      database.prepare('insert into orders values (9)').run()
      ledger.prepareIn(database, aCall())
      throw new Error('no stock')
    })
    expect(() => order.immediate()).toThrow('no stock')
    expect(ordersIn(database)).toEqual([])
    expect(await store.operation('ticket-1')).toBeNull()
    expect(await ledger.dispatch({ handlers: {}, ...IDLE })).toEqual({ outcomes: {}, left: {} })
  })

  it('is attached to where it is there, refused with another input, and answered by the same write', async () => {
    const { ledger, path } = await aLedger()
    await ledger.run(aCall(), () => 1)
    const database = anApplication(path)
    const within = (over: object) =>
      database.transaction(() => ledger.prepareIn(database, aCall(over))).immediate()
    expect(within({})).toMatchObject({ operation_id: 'ticket-1', status: 'confirmed' })
    const twin = { id: 'twin', input: { title: 'Disk full' } }
    expect(within(twin)).toMatchObject({ operation_id: 'ticket-1', status: 'confirmed' })
    expect(() => within({ input: 'other' })).toThrow(expect.objectContaining({ code: 'different_input' }))
  })

  it('reads whole numbers as such on a connection that gives them as BigInt, and leaves it so', async () => {
    const { ledger, path } = await aLedger()
    const database = anApplication(path).defaultSafeIntegers()
    const order = database.transaction(() => ledger.prepareIn(database, aCall()))
    expect(order.immediate()).toMatchObject({ operation_id: 'ticket-1', status: 'prepared' })
    expect(database.prepare('select 1').pluck().get()).toBe(1n)
  })

  it.each([
    ['without a transaction', (path: string) => anApplication(path), /no transaction is open/],
    ['on another file', () => begun(new Database(`${aDirectory()}/other.db`)), /it is on .*other\.db/],
    [
      'that would lose its commit with the power',
      (path: string) => {
        const database = anApplication(path)
        database.pragma('synchronous = normal')
        return begun(database)
      },
      /its synchronous is 1/,
    ],
  ])('is refused on a connection %s', async (_, connect, why) => {
    const { ledger, store, path } = await aLedger()
    const database = connect(path)
    onTestFinished(() => {
      database.close()
    })
    expect(() => ledger.prepareIn(database, aCall())).toThrow(why)
    if (database.inTransaction) database.exec('rollback')
    expect(await store.operation('ticket-1')).toBeNull()
  })
})

describe('a dispatcher', () => {
  it('leaves what it has no handler for, counts it, and says so once', async () => {
    const { ledger, store, warnings } = await aLedger()
    await ledger.prepare(aCall({ id: 'a' }))
    await ledger.prepare(aCall({ id: 'b' }))
    await ledger.prepare(aCall({ id: 'mail', tool: 'mail.send' }))
    const handlers = { 'mail.send': () => 'sent' }
    expect(await ledger.dispatch({ handlers, ...IDLE })).toEqual({
      outcomes: { confirmed: 1 },
      left: { 'tickets.create': 2 },
    })
    expect((await recordOf(store, 'a')).operation.status).toBe('prepared')
    expect(warnings).toMatchObject([
      { code: 'no_handler', message: expect.stringContaining('tickets.create') },
    ])
  })

  it('is kept from none by one that fails every time: that one has its own budget', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall({ id: 'poison', task: 'other', retry: { base_ms: 0 }, maxAttempts: 3 }))
    for (const id of ['a', 'b', 'c']) await ledger.prepare(aCall({ id }))
    const handlers = {
      'tickets.create': ({ operation_id }: { operation_id: string }) => {
        if (operation_id === 'poison') throw refusedConnection()
        return operation_id
      },
    }
    const { outcomes } = await ledger.dispatch({ handlers, concurrency: 1, ...IDLE })
    expect(outcomes).toEqual({ confirmed: 3, waiting: 2, not_executed: 1 })
    expect((await recordOf(store, 'poison')).attempts).toHaveLength(3)
  })

  it('sends a retry when its time has come, and not before', async () => {
    const clock = testClock(Date.now())
    const { ledger, store } = await aLedger({ clock })
    const call = aCall({ retry: { base_ms: 60_000, cap_ms: 60_000 }, waitForRetryMs: 0 })
    await ledger.run(call, () => Promise.reject(refusedConnection()))
    const calls: number[] = []
    const handlers = {
      'tickets.create': (_: object, { attempt }: { attempt: number }) => {
        calls.push(attempt)
      },
    }
    await ledger.dispatch({ handlers, ...IDLE })
    expect(calls).toEqual([])
    clock.advance(((await recordOf(store)).operation.next_attempt_at ?? 0) - clock().at)
    await ledger.dispatch({ handlers, ...IDLE })
    expect(calls).toEqual([2])
  })

  it('sends what is in doubt again only where a repeat is safe, and never what certainly did not happen', async () => {
    const gone = { isOwnerGone: () => true }
    const { ledger, store } = await aLedger(gone)
    for (const [id, repeat] of [
      ['safe', KEYED],
      ['unsafe', { kind: 'none' }],
    ] as const) {
      await ledger.prepare(aCall({ id, repeat, retry: { base_ms: 0 } }))
      await ledger.send(id)
    }
    await ledger.run(aCall({ id: 'refused' }), () => Promise.reject(notExecuted('no')))
    const calls: string[] = []
    const handlers = {
      'tickets.create': ({ operation_id }: { operation_id: string }) => {
        calls.push(operation_id)
      },
    }
    await ledger.dispatch({ handlers, ...IDLE })
    expect(calls).toEqual(['safe'])
    expect((await recordOf(store, 'safe')).operation.status).toBe('confirmed')
    expect((await recordOf(store, 'unsafe')).operation.status).toBe('unknown')
    expect((await recordOf(store, 'refused')).operation.status).toBe('not_executed')
  })

  it('of several at once sends each operation once', async () => {
    const { ledger, path } = await aLedger()
    const others = await Promise.all([1, 2, 3].map(() => aLedger({ path })))
    for (let n = 0; n < 40; n++) await ledger.prepare(aCall({ id: `op-${n}` }))
    const calls: string[] = []
    const handlers = {
      'tickets.create': async ({ operation_id }: { operation_id: string }) => {
        calls.push(operation_id)
        await new Promise(resolve => setTimeout(resolve, 1))
      },
    }
    const ledgers = [ledger, ...others.map(opened => opened.ledger)]
    await Promise.all(ledgers.map(one => one.dispatch({ handlers, ...IDLE })))
    expect(calls.length).toBe(40)
    expect(new Set(calls).size).toBe(40)
  })

  it('that is told to stop begins nothing further, and waits for what runs', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall({ id: 'a' }))
    const [inside, end, stopping] = [held<void>(), held<string>(), new AbortController()]
    const handlers = {
      'tickets.create': () => {
        inside.resolve()
        return end.promise
      },
    }
    const running = ledger.dispatch({ handlers, signal: stopping.signal, pollMs: 5 })
    await inside.promise
    stopping.abort()
    await ledger.prepare(aCall({ id: 'b' }))
    end.resolve('done')
    expect(await running).toEqual({ outcomes: { confirmed: 1 }, left: {} })
    expect((await recordOf(store, 'b')).operation.status).toBe('prepared')
  })

  it('sends nothing of a task that a person holds, and goes on after the handback', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall())
    await takeoverOf(store, 'task-1')
    const handlers = { 'tickets.create': () => 'done' }
    expect(await ledger.dispatch({ handlers, ...IDLE })).toEqual({ outcomes: {}, left: {} })
    await takeoverOf(store, 'task-1', 'handback')
    expect((await ledger.dispatch({ handlers, ...IDLE })).outcomes).toEqual({ confirmed: 1 })
  })

  it('sends nothing of a cancelled task but what cleans up after it', async () => {
    const { ledger, store } = await aLedger()
    await ledger.prepare(aCall({ id: 'a' }))
    await takeoverOf(store, 'task-1', 'cancel')
    await ledger.prepare(aCall({ id: 'tidy', cleanup: true }))
    const handlers = { 'tickets.create': ({ operation_id }: { operation_id: string }) => operation_id }
    expect((await ledger.dispatch({ handlers, ...IDLE })).outcomes).toEqual({ confirmed: 1 })
    expect((await recordOf(store, 'a')).operation.status).toBe('cancelled')
    expect((await recordOf(store, 'tidy')).operation.status).toBe('confirmed')
  })

  it('refuses options that mean nothing', async () => {
    const { ledger } = await aLedger()
    expect(() => ledger.dispatch({ handlers: { a: 'x' } } as never)).toThrow(/must hold functions/)
    expect(() => ledger.dispatch({ handlers: {}, until: 'never' } as never)).toThrow(/until/)
  })
})

/** A program with a table of its own in the file of the ledger. */
function anApplication(path: string): Database.Database {
  const database = new Database(path)
  onTestFinished(() => {
    database.close()
  })
  database.pragma('synchronous = full')
  database.exec('create table if not exists orders (id integer primary key)')
  return database
}

function begun(database: Database.Database): Database.Database {
  database.exec('begin immediate')
  return database
}

function ordersIn(database: Database.Database): unknown[] {
  return database.prepare('select id from orders').pluck().all()
}

function refusedConnection(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
}
