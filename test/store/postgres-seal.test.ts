import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createStore, openStore } from '../../src/store/open.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { did, later, PREPARE, SEND } from './support/changes.js'
import { sealed } from './support/kept.js'

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
