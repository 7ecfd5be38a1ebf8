import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stamp } from '../../src/core/time.js'
import type { By, Changed, Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { somebodyWaits } from '../postgres/waiting.js'
import { did, PREPARE, SEND, tried } from './support/changes.js'
import { ledgersIn } from './support/postgres-ledgers.js'

const MINUTE = 60_000

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const newStore = ledgersIn(() => `${server.url()}&schema=times`)

describe('the time of a commit', () => {
  it('is that at which it has its locks, however long it waited for them', async () => {
    const { store } = await newStore()
    await did(store, 'op', [PREPARE('op')])
    const clock = aClock()
    const { waited } = await whileTasksAreLocked(async ended => {
      const waited = tried(store, 'op', [SEND()], by(clock.now))
      await withClient(server.url(), somebodyWaits)
      clock.at = NOON + 5 * MINUTE
      await ended()
      return { waited: await waited }
    })
    expect(waited.state?.operation.updated_at).toBe(NOON + 5 * MINUTE)
  })

  it('is in no doubt where another machine wrote while it waited', async () => {
    const { store } = await newStore()
    await did(store, 'op', [PREPARE('op')])
    const clock = aClock()
    const doubts: boolean[] = []
    await whileTasksAreLocked(async ended => {
      const waited = asked(store, 'op', by(clock.now), doubts)
      await withClient(server.url(), somebodyWaits)
      clock.at = NOON + 5 * MINUTE
      await did(store, 'other', [PREPARE('other', { task_id: 'task-2' })], onAnotherMachine(clock.at))
      await ended()
      await waited
    })
    expect(doubts).toEqual([false])
  })

  it('runs for a takeover too, which waits for those who send', async () => {
    const { store } = await newStore()
    await did(store, 'op', [PREPARE('op')])
    const clock = aClock()
    const taken = await whileTasksAreLocked(async ended => {
      const request = { type: 'takeover', reason: 'mine' } as const
      const waited = store.changeTask({
        task_id: 'task-1',
        request,
        by: by(clock.now),
        isOwnerGone: () => false,
      })
      await withClient(server.url(), somebodyWaits)
      clock.at = NOON + 5 * MINUTE
      await ended()
      return waited
    })
    expect(taken.task?.updated_at).toBe(NOON + 5 * MINUTE)
  })
})

/** A clock that a test moves. */
function aClock() {
  const clock = { at: NOON, now: (): Stamp => stampAt(clock.at) }
  return clock
}

function by(clock: () => Stamp): By {
  return { actor: 'ana', clock }
}

function onAnotherMachine(at: number): By {
  return by(() => ({ ...stampAt(at), boot_id: 'boot-2' }))
}

function asked(store: Store, operation_id: string, by: By, doubts: boolean[]): Promise<Changed> {
  return store.change({
    operation_id,
    by,
    isOwnerGone: () => false,
    onRefusal: 'undo',
    plan: (_, { clock_doubt }) => {
      doubts.push(clock_doubt)
      return []
    },
  })
}

/** Holds the rows of all tasks there are until `ended` is called. */
function whileTasksAreLocked<T>(work: (ended: () => Promise<void>) => Promise<T>): Promise<T> {
  return withClient(server.url(), async client => {
    await client.query('begin; select 1 from times.ledger_task for update')
    return work(async () => void (await client.query('rollback')))
  })
}
