import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openLedger } from '../../src/index.js'
import { createStore, grantRoles, openStore } from '../../src/store/open.js'
import { placeOf } from '../../src/store/postgres/place.js'
import { postgresEngine } from '../../src/store/postgres/postgres.js'
import { giveSplitUp, type Splitting, splitLedger } from '../../src/store/splitting/split.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ settings: { max_connections: '60' } })
})
afterAll(() => server.remove())

const asked = (url: string) => ({ url, waitMs: 30_000, clock: () => stampAt(NOON), program: 'a test' })

const splitting = (url: string, over: Partial<Splitting> = {}): Splitting => ({
  url,
  partitions: 4,
  waitMs: 30_000,
  clock: () => stampAt(NOON + 1_000),
  actor: 'ana',
  dryRun: false,
  ...over,
})

async function aLedger(operations: number) {
  const url = await server.createDatabase()
  await createStore(asked(url))
  const store = await openStore(asked(url))
  onTestFinished(() => store.close())
  for (let n = 0; n < operations; n++) {
    await did(store, `op-${n}`, [PREPARE(`op-${n}`), SEND()], later(n))
    await did(store, `op-${n}`, [n % 3 === 0 ? LOSE() : CONFIRM()], later(n))
  }
  return { url, store }
}

async function shape(url: string) {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select (
           select count(*)::int
           from pg_class
           where relispartition and relkind = 'r' and relnamespace = 'agent_ledger'::regnamespace
         ) as partitions,
         (select count(*)::int from pg_namespace where nspname like '%_split') as shadows,
         (select count(*)::int from agent_ledger.ledger_operation) as operations`,
    )
    return rows[0]
  })
}

describe('splitting a ledger where it is', () => {
  it('leaves every row, chain, grant and guard as it was, for those who have it open too', async () => {
    const { url, store } = await aLedger(12)
    await grantRoles(asked(url))
    await withClient(url, client =>
      client.query('create role agent_of_split login in role agent_ledger_writer'),
    )
    const before = await store.events({ limit: 1_000 })
    expect(await splitLedger(splitting(url, { dryRun: true }))).toMatchObject({
      done: false,
      was_there: false,
    })
    expect(await shape(url)).toMatchObject({ partitions: 0, shadows: 0 })
    expect(await splitLedger(splitting(url))).toMatchObject({ done: true })
    expect(await shape(url)).toEqual({ partitions: 24, shadows: 0, operations: 12 })
    const after = await store.events({ limit: 1_000 })
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.slice(before.length).map(({ type }) => type)).toEqual(['split'])
    await did(store, 'more', [PREPARE('more'), SEND(), LOSE()], later(99))
    const agent = await openStore(asked(url.replace('//ledger@', '//agent_of_split@')))
    onTestFinished(() => agent.close())
    await did(agent, 'of-agent', [PREPARE('of-agent'), SEND()], later(100))
    expect((await agent.verify()).findings).toEqual([])
    await withClient(url, async client => {
      await client.query('set search_path = agent_ledger')
      for (const sql of [
        'delete from ledger_event',
        'truncate ledger_event_p1',
        'delete from ledger_evidence_p0 where true',
      ])
        await expect(client.query(sql)).rejects.toThrow(/only grows/)
      await expect(
        client.query(
          `insert into ledger_key values ('', (select idempotency_key from ledger_key limit 1), 'x')`,
        ),
      ).resolves.toBeDefined()
    })
    expect(await splitLedger(splitting(url))).toMatchObject({ done: false, was_there: true })
    await expect(splitLedger(splitting(url, { partitions: 8 }))).rejects.toMatchObject({ code: 'refused' })
  })

  it('goes on while agents write, and after it was broken off', async () => {
    const { url } = await aLedger(6)
    const ledgers = await Promise.all([1, 2, 3].map(() => openLedger(url, { waitMs: 60_000 })))
    let isOver = false
    let done = 0
    const agents = ledgers.map(async (ledger, agent) => {
      for (let n = 0; !isOver; n++) {
        const input = { agent, n }
        const { status } = await ledger.run(
          { id: `live-${agent}-${n}`, task: `t-${agent}`, tool: 'x', input },
          () => ({ n }),
        )
        if (status === 'confirmed') done += 1
      }
      await ledger.close()
    })
    const signal = AbortSignal.timeout(40)
    const copied: number[] = []
    await splitLedger(splitting(url, { signal, onProgress: ({ rows }) => copied.push(rows) })).catch(
      () => undefined,
    )
    await sleep(200)
    await expect(splitLedger(splitting(url))).resolves.toMatchObject({ done: true })
    await sleep(300)
    isOver = true
    await Promise.all(agents)
    const store = await openStore(asked(url))
    onTestFinished(() => store.close())
    expect((await store.verify()).findings).toEqual([])
    const engine = postgresEngine({ place: placeOf(url), waitMs: 5_000, for: 'reading' })
    onTestFinished(() => engine.close())
    expect(await engine.damages('whole')).toEqual([])
    expect(await shape(url)).toMatchObject({ shadows: 0, operations: 6 + done })
  })

  it('is given up without a trace', async () => {
    const { url, store } = await aLedger(3)
    await expect(giveSplitUp(splitting(url))).rejects.toMatchObject({ code: 'refused' })
    const over = new Error('enough')
    const stop = splitLedger(
      splitting(url, {
        onProgress: () => {
          throw over
        },
      }),
    )
    await expect(stop).rejects.toThrow('enough')
    expect(await shape(url)).toMatchObject({ shadows: 1 })
    await did(store, 'meanwhile', [PREPARE('meanwhile')], later(50))
    await expect(splitLedger(splitting(url, { partitions: 8 }))).rejects.toMatchObject({ code: 'refused' })
    await giveSplitUp(splitting(url))
    expect(await shape(url)).toEqual({ partitions: 0, shadows: 0, operations: 4 })
    await did(await openStore(asked(url)), 'after', [PREPARE('after')], later(51))
  })

  it('is not finished where the new tables differ from the old ones', async () => {
    const { url, store } = await aLedger(3)
    const stopped = splitLedger(
      splitting(url, {
        onProgress: ({ stage }) => {
          if (stage === 'comparing') throw new Error('enough')
        },
      }),
    )
    await expect(stopped).rejects.toThrow('enough')
    await withClient(url, client =>
      client.query(
        "update agent_ledger_split.ledger_operation set step = 'other' where operation_id = 'op-1'",
      ),
    )
    await expect(splitLedger(splitting(url))).rejects.toMatchObject({
      code: 'ledger_damaged',
      message: expect.stringMatching(/1 rows of ledger_operation/),
    })
    expect(await shape(url)).toMatchObject({ partitions: 0, shadows: 1 })
    expect((await store.verify()).findings).toEqual([])
  })
})
