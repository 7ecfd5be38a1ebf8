import { describe, expect, it } from 'vitest'
import { NOON } from '../../core/builders.js'
import { did, EVERYTHING, later, PREPARE, SEND, tried } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

export function concurrencyConforms(newStore: NewStore): void {
  describe('many at once', () => {
    it('lets one of many senders have an attempt', async () => {
      const { store, again } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const stores = [store, await again(), await again()]
      const tries = await Promise.all(
        Array.from({ length: 12 }, (_, n) => {
          const one = stores[n % stores.length] ?? store
          return tried(one, 'op', [SEND({ owner: `p-${n}`, fence: 1 })], later(n))
        }),
      )
      expect(tries.filter(({ refusal }) => refusal === null)).toHaveLength(1)
      expect((await store.operation('op'))?.attempts).toHaveLength(1)
    })

    it('prepares an id once, whoever is first', async () => {
      const { store, again } = await newStore()
      const other = await again()
      const tries = await Promise.all([
        tried(store, 'op', [PREPARE('op')]),
        tried(other, 'op', [PREPARE('op')]),
        tried(store, 'op', [PREPARE('op')]),
      ])
      expect(tries.filter(({ refusal }) => refusal === null)).toHaveLength(1)
      expect((await store.operation('op'))?.operation.version).toBe(1)
    })

    it('keeps each member of a shared commit to its own outcome', async () => {
      const { store } = await newStore()
      const ends = await Promise.allSettled([
        tried(store, 'a', [PREPARE('a')]),
        tried(store, 'bad\u0001id', [PREPARE('bad\u0001id')]),
        tried(store, 'c', [PREPARE('c')]),
      ])
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      const { operations } = await store.operations(EVERYTHING)
      const ids = operations.map(({ operation_id }) => operation_id)
      expect(ids).toEqual(['a', 'c'])
    })

    it('keeps the chain of the ledger itself without a gap', async () => {
      const { store, again } = await newStore()
      const other = await again()
      await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : other).record('refused', null, { n }, later(n, `actor-${n}`)),
        ),
      )
      const numbers = (await store.events({ limit: 100 })).map(({ n }) => n)
      expect(numbers).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
      expect(await store.lastCommitAt()).toBeGreaterThanOrEqual(NOON)
    })
  })
}
