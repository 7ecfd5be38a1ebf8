import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStore, openStore, openStoreForReading } from '../../src/store/open.js'
import type { Store } from '../../src/store/store.js'
import { verify } from '../../src/store/verify.js'
import { NOON, stampAt } from '../core/builders.js'
import { attestation, did, LOSE, later, PREPARE, SEND, step, tried } from './support/changes.js'
import { reading } from './support/ledgers.js'
import { aDirectory } from './support/places.js'

describe('a ledger that was copied or restored', () => {
  it('sends nothing that was prepared before: it may have been sent since', async () => {
    const { path, store } = await aLedger()
    await did(store, 'waiting', [PREPARE('waiting')])
    await store.close()
    const copy = await open(copied(path))
    const refused = await tried(copy, 'waiting', [SEND()], later(1))
    expect(refused.refusal).toMatchObject({ rule: 'same_incarnation' })
    await did(copy, 'new', [PREPARE('new'), SEND()], later(2))
  })

  it('lists those for a person, each once', async () => {
    const { path, store } = await aLedger()
    await did(store, 'waiting', [PREPARE('waiting')])
    await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
    const attention = async (of: Store) => {
      const query = { scope: 'attention', now: stampAt(NOON), goneOwners: [], sort: 'id', limit: 10 } as const
      return (await of.operations(query)).operations.map(({ operation_id }) => operation_id)
    }
    expect(await attention(store)).toEqual(['lost'])
    await store.close()
    expect(await attention(await open(copied(path)))).toEqual(['lost', 'waiting'])
  })

  it('sends again what a person allowed again', async () => {
    const { path, store } = await aLedger()
    await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
    await store.close()
    const copy = await open(copied(path))
    const settle = {
      type: 'resolve_not_executed',
      reason: 'seen',
      expected_version: null,
      early: true,
    } as const
    await did(copy, 'lost', [step(settle, [attestation()])], later(1))
    const allow = {
      type: 'allow_retry',
      reason: 'again',
      expected_version: null,
      accept_duplicate: 'it may be there twice',
    } as const
    await did(copy, 'lost', [step(allow), SEND()], later(2))
  })

  it('says so in its history, once for each new place', async () => {
    const { path, store } = await aLedger()
    await store.close()
    const copy = copied(path)
    await (await open(copy)).close()
    await (await open(copy)).close()
    const again = copied(copy)
    const last = await open(again)
    const events = await last.events({ type: 'incarnation', limit: 10 })
    expect(events.map(({ body }) => body)).toMatchObject([{ incarnation: 2 }, { incarnation: 3 }])
    await last.close()
    expect((await verify(await reading(again))).findings).toEqual([])
  })

  it('is the same ledger still, and reading it begins nothing', async () => {
    const { path, store } = await aLedger()
    await store.close()
    const reader = await openStoreForReading({ url: copied(path) })
    onTestFinished(() => reader.close())
    expect(reader.ledgerId).toBe(store.ledgerId)
    expect(await reader.events({ type: 'incarnation', limit: 10 })).toEqual([])
  })

  it('is no other ledger for being moved', async () => {
    const { path, store } = await aLedger()
    await did(store, 'waiting', [PREPARE('waiting')])
    await store.close()
    const moved = join(aDirectory(), 'moved.db')
    renameSync(path, moved)
    await did(await open(moved), 'waiting', [SEND()], later(1))
  })
})

async function aLedger() {
  const path = join(aDirectory(), 'ledger.db')
  await createStore(optionsFor(path))
  return { path, store: await open(path) }
}

async function open(path: string): Promise<Store> {
  const store = await openStore(optionsFor(path))
  onTestFinished(() => store.close())
  return store
}

function optionsFor(url: string) {
  return { url, clock: () => stampAt(NOON), program: 'a test' }
}

function copied(path: string): string {
  const copy = join(aDirectory(), 'copy.db')
  copyFileSync(path, copy)
  return copy
}
