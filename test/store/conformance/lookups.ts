import { describe, expect, it } from 'vitest'
import { NOON } from '../../core/builders.js'
import { CONFIRM, did, EVERYTHING, LOSE, PREPARE, SEND } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

/** What is read beside a list: what its rows need, what is counted, ids near a mistyped one. */
export function lookupsConform(newStore: NewStore): void {
  describe('what stands beside the rows of a list', () => {
    it('is read for all of them at once, and only where it can matter', async () => {
      const { store } = await newStore()
      const claimed = { subject: { operation_id: 'lost' }, actor: 'lee', at: NOON, until: NOON + 60_000 }
      await did(store, 'flying', [PREPARE('flying', { input: 1 }), SEND()])
      await did(store, 'done', [PREPARE('done', { input: 2 }), SEND(), CONFIRM()])
      await did(store, 'again', [PREPARE('again', { input: 2, provenance: 'imported' })])
      await did(store, 'lost', [PREPARE('lost', { repeat: { kind: 'idempotent' } }), SEND(), LOSE()])
      await store.claim(claimed)
      const { operations } = await store.operations(EVERYTHING)
      const found = await store.beside(operations, NOON + 1)
      expect([...found.attempts.keys()]).toEqual(['flying'])
      expect(found.external_ids.get('done')).toEqual([{ kind: 'ticket', value: 'T-1' }])
      expect([...found.claims]).toEqual([['lost', claimed]])
      expect([...found.tasks.keys()]).toEqual(['task-1'])
      expect([...found.twins.keys()]).toEqual(['done'])
      expect([...found.target_touched]).toEqual([['lost', false]])
      expect((await store.beside(operations, NOON + 60_000)).claims.size).toBe(0)
    })
  })

  describe('counts of what is open', () => {
    it('are those of the rows', async () => {
      const { store } = await newStore()
      await did(store, 'flying', [PREPARE('flying'), SEND()])
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
      await did(store, 'done', [PREPARE('done'), SEND()])
      await did(store, 'done', [CONFIRM()])
      await store.claim({ subject: { operation_id: 'lost' }, actor: 'ana', at: NOON, until: NOON + 10 })
      expect(await store.counts(NOON)).toEqual({
        unknown: 1,
        in_flight: 1,
        prepared: 1,
        prepared_in_doubt: 0,
        duplicates: 0,
        claims: 1,
        tasks_open: 1,
        tasks_taken_over: 0,
      })
      expect((await store.counts(NOON + 10)).claims).toBe(0)
    })

    it('name each owner of a lease once', async () => {
      const { store } = await newStore()
      await did(store, 'a', [PREPARE('a'), SEND({ owner: 'p' })])
      await did(store, 'b', [PREPARE('b'), SEND({ owner: 'p' })])
      await did(store, 'c', [PREPARE('c'), SEND({ owner: 'q' })])
      await did(store, 'd', [PREPARE('d'), SEND({ owner: 'gone' }), LOSE()])
      expect(await store.leaseOwners()).toEqual(['p', 'q'])
    })
  })

  describe('an id that was mistyped', () => {
    it('is answered with those near it, nearest first', async () => {
      const { store } = await newStore()
      for (const id of ['billing/charge-41', 'billing/charge-42', 'mail/send-1'])
        await did(store, id, [PREPARE(id, { task_id: 'invoices' })])
      expect((await store.near('biling/charge-42'))[0]).toBe('billing/charge-42')
      expect((await store.near('billing/charge-24'))[0]).toBe('billing/charge-42')
      expect(await store.near('charge-41')).toContain('billing/charge-41')
      expect(await store.near('invocies')).toEqual(['invoices'])
      expect(await store.near('zzzzzzzzzzzzzzzz')).toEqual([])
      expect(await store.near('\ud800')).toEqual([])
    })
  })
}
