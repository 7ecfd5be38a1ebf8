import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { moveLedger } from '../../src/store/moving/move.js'
import { createStore, openStore } from '../../src/store/open.js'
import { parseAnchors } from '../../src/store/sealing/note.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { did, later, PREPARE, SEND } from './support/changes.js'
import { closed, over, sealed } from './support/kept.js'
import { aDirectory } from './support/places.js'

let server: PostgresServer
let url: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.createDatabase()
  await createStore(asked())
})
afterAll(() => server.remove())

const asked = () => ({ url, waitMs: 5_000, clock: () => stampAt(NOON), program: 'a test' })

describe('a seal on PostgreSQL', () => {
  it('waits for a transaction that has its number, and is over what it added', async () => {
    const store = await openStore(asked())
    onTestFinished(() => store.close())
    await did(store, 'first', [PREPARE('first'), SEND()], later(1))
    await withClient(url.replace(/[?&]schema=.*/, ''), async client => {
      await client.query('begin')
      const intent = PREPARE('slow')
      const change = { operation_id: 'slow', task_id: 'task-2', by: later(2), isOwnerGone: () => false }
      await store.changeInside(client, { ...change, plan: () => [intent], onRefusal: 'undo' })
      // a later number, seen first
      await did(store, 'quick', [PREPARE('quick'), SEND()], later(3))
      await expect(sealed(store, 4, 60)).rejects.toMatchObject({ code: 'busy' })
      expect(await store.seals()).toEqual([])
      await client.query('commit')
    })
    const { size } = await sealed(store, 5)
    const { findings, checked, seals } = await store.verify()
    expect(findings).toEqual([])
    expect([checked.events, seals.sealed]).toEqual([size + 1, size])
  })

  it('keeps nobody from writing while it waits', async () => {
    const store = await openStore(asked())
    onTestFinished(() => store.close())
    await did(store, 'before', [PREPARE('before'), SEND()], later(5))
    await withClient(url.replace(/[?&]schema=.*/, ''), async client => {
      await client.query('begin')
      const change = { operation_id: 'held', task_id: 'task-3', by: later(6), isOwnerGone: () => false }
      await store.changeInside(client, { ...change, plan: () => [PREPARE('held')], onRefusal: 'undo' })
      const seal = sealed(store, 7, 60_000)
      await did(store, 'meanwhile', [PREPARE('meanwhile'), SEND()], later(8))
      await client.query('rollback')
      expect((await seal).isNew).toBe(true)
    })
    expect((await store.verify()).findings).toEqual([])
  })
})

describe('a ledger that was sealed, blanked and archived', () => {
  it('goes to a file and back to PostgreSQL, and the anchors go on fitting', async () => {
    const from = await server.createDatabase()
    await createStore({ ...asked(), url: from })
    const store = await openStore({ ...asked(), url: from })
    for (const [n, id] of ['first', 'second'].entries()) await over(store, id, 10 * n)
    await closed(store, 30)
    const redacting = { operation_id: 'second', reason: 'x', parts: null, isDryRun: false }
    await store.redact(redacting, later(31))
    const { note } = await sealed(store, 32)
    const [first] = (await store.operation('first'))?.evidence ?? []
    const events = await store.events({ about: { operation_id: 'first' }, limit: 99 })
    const archived = {
      operation_id: 'first',
      head: events.at(-1)?.hash ?? '',
      evidence_head: first?.hash ?? null,
    }
    const { operations } = await store.removeArchived({
      actor: 'ana',
      clock: () => later(40).clock(),
      settledBefore: NOON + 35,
      archive: 'a.jsonl',
      archive_digest: archived.head,
      operations: (async function* () {
        yield archived
      })(),
    })
    expect(operations).toBe(1)
    await store.close()
    const moving = {
      clock: () => later(50).clock(),
      program: 'a test',
      actor: 'ana',
      assumeStopped: true,
      dryRun: false,
      partitions: null,
    }
    const file = `${aDirectory()}/ledger.db`
    await moveLedger({ ...moving, from, to: file, waitMs: 5_000 })
    const back = await server.createDatabase()
    await moveLedger({ ...moving, from: file, to: back, waitMs: 5_000 })
    const there = await openStore({ ...asked(), url: back })
    onTestFinished(() => there.close())
    const {
      findings,
      seals,
      archived: gone,
    } = await there.verify({ anchors: { anchors: parseAnchors(note), key: null } })
    expect(findings).toEqual([])
    expect([seals.anchored, gone]).toEqual([seals.sealed, { operations: 1, events: 3 }])
    expect((await sealed(there, 60)).before).toBe(seals.sealed)
  })
})
