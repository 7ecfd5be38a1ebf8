import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createStore, openStore } from '../../src/store/open.js'
import { Params } from '../../src/store/sql-store/list.js'
import { branchesOf, orderOf } from '../../src/store/sql-store/list-branches.js'
import type { OperationQuery, Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { aDirectory, aDirectoryIn } from './support/places.js'

async function aStore(): Promise<{ store: Store; path: string }> {
  const path = `${aDirectoryIn(aDirectory(), 'home')}/ledger.db`
  const options = { url: path, clock: () => stampAt(NOON), program: 'a test' }
  createStore(options)
  const store = await openStore(options)
  onTestFinished(() => store.close())
  return { store, path }
}

const EFFECTS = ['irreversible', 'read', null, 'reversible', 'compensable'] as const

const ALL: OperationQuery = {
  scope: 'all',
  now: stampAt(NOON + 60_000),
  goneOwners: [],
  sort: 'risk',
  limit: null,
}

describe('a list read page by page', () => {
  it.each(['risk', 'age', 'id'] as const)('has each operation once, in the order of %s', async sort => {
    const { store } = await aStore()
    for (let i = 0; i < 23; i++) {
      const id = `op-${(i * 7) % 23}`
      const effect = EFFECTS[i % EFFECTS.length] ?? null
      await did(store, id, [PREPARE(id, { effect, amount: i % 3 === 0 ? 10 : null })], later(i % 4))
    }
    for (const scope of ['all', 'open'] as const) {
      const whole = await store.operations({ ...ALL, scope, sort })
      const ids: string[] = []
      for (;;) {
        const last = ids.at(-1)
        const after = last === undefined ? {} : { after: last }
        const page = await store.operations({ ...ALL, scope, sort, limit: 5, uncounted: true, ...after })
        ids.push(...page.operations.map(({ operation_id }) => operation_id))
        expect(page.left_out).toBe(0)
        if (page.operations.length < 5) break
      }
      expect(ids).toEqual(whole.operations.map(({ operation_id }) => operation_id))
      expect(new Set(ids).size).toBe(23)
    }
  })

  it('seeks to its page in the index and sorts nothing', async () => {
    const { store, path } = await aStore()
    await did(store, 'op-1', [PREPARE('op-1')])
    const database = new Database(path, { readonly: true })
    onTestFinished(() => {
      database.close()
    })
    for (const scope of ['all', 'in_doubt'] as const) {
      const params = new Params()
      const asked = { ...ALL, scope, after: 'op-1', sinceSeq: null }
      for (const branch of branchesOf(asked, params)) {
        const plan = database
          .prepare(`explain query plan ${branch} order by ${orderOf(asked)} limit 5`)
          .all(Object.fromEntries(params.values.map((value, i) => [String(i + 1), value])))
          .map(row => String(Object(row).detail))
          .join('\n')
        expect(plan).toMatch(/SEARCH ledger_operation USING (?:COVERING )?INDEX \w+ \(.*risk_rank/)
        expect(plan).not.toMatch(/TEMP B-TREE/)
      }
    }
  })
})

describe('what stands beside the rows of a list', () => {
  it('is read for all of them at once, and only where it can matter', async () => {
    const { store } = await aStore()
    await did(store, 'flying', [PREPARE('flying', { input: 'flying' }), SEND()])
    await did(store, 'done', [PREPARE('done', { input: { a: 1 } }), SEND(), CONFIRM()])
    await did(store, 'again', [PREPARE('again', { input: { a: 1 } })])
    await did(store, 'lost', [PREPARE('lost', { repeat: { kind: 'idempotent' } }), SEND(), LOSE()])
    await store.claim({ subject: { operation_id: 'lost' }, actor: 'lee', at: NOON, until: NOON + 60_000 })
    const { operations } = await store.operations(ALL)
    const found = await store.beside(operations, NOON + 1)
    expect([...found.attempts.keys()]).toEqual(['flying'])
    expect(found.external_ids.get('done')).toEqual([{ kind: 'ticket', value: 'T-1' }])
    expect([...found.claims].map(([id, { actor }]) => [id, actor])).toEqual([['lost', 'lee']])
    expect([...found.tasks.keys()]).toEqual(['task-1'])
    expect([...found.twins.keys()]).toEqual(['done'])
    expect([...found.target_touched]).toEqual([['lost', false]])
    expect((await store.beside(operations, NOON + 60_000)).claims.size).toBe(0)
    expect(operations.every(operation => !('input' in operation))).toBe(true)
  })

  it('lists settled repeats in a scope of their own', async () => {
    const { store } = await aStore()
    await did(store, 'done', [PREPARE('done', { input: { a: 1 } }), SEND(), CONFIRM()])
    await did(store, 'again', [PREPARE('again', { input: { a: 1 } }), SEND(), CONFIRM()])
    const { operations } = await store.operations({ ...ALL, scope: 'repeated' })
    expect(operations.map(({ operation_id, same_as }) => [operation_id, same_as])).toEqual([
      ['again', 'done'],
    ])
  })
})
