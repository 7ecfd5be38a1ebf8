import { describe, expect, it } from 'vitest'
import type { EventQuery, Store } from '../../../src/store/store.js'
import { NOON } from '../../core/builders.js'
import { ANA, CONFIRM, did, LOSE, later, PREPARE, SEND } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

export function logConforms(newStore: NewStore): void {
  describe('the log', () => {
    it('has every event in the order written, with its body and its hash', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND()], later(1))
      await did(store, 'op', [CONFIRM()], later(2, 'bob'))
      const events = await store.events({ limit: 10 })
      expect(events.map(({ seq, subject, n, type, actor }) => [seq, subject, n, type, actor])).toEqual([
        [1, 'ledger', 1, 'created', 'a test'],
        [2, 'task', 1, 'open', 'ana'],
        [3, 'operation', 1, 'prepare', 'ana'],
        [4, 'operation', 2, 'send', 'ana'],
        [5, 'operation', 3, 'confirm', 'bob'],
      ])
      expect(events.every(({ hash }) => /^sha256:[0-9a-f]{64}$/.test(hash))).toBe(true)
      expect(events[4]?.body).toMatchObject({
        from: 'in_flight',
        to: 'confirmed',
        ends: [{ n: 1, end: 'applied' }],
      })
    })

    it('of an operation has what the ledger recorded about it too', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      await did(store, 'other', [PREPARE('other')])
      await store.record('refused', { operation_id: 'op' }, { rule: 'fence_as_held' }, later(1, 'eve'))
      expect(await types(store, { about: { operation_id: 'op' } })).toEqual(['prepare', 'refused'])
    })

    it('of a task has its own events and those of its operations', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      await did(store, 'else', [PREPARE('else', { task_id: 'task-2' })])
      await store.record('refused', { operation_id: 'op' }, {}, ANA)
      await store.record('note', { task_id: 'task-1' }, {}, ANA)
      await store.record('import', null, { from: 'x' }, ANA)
      expect(await types(store, { about: { task_id: 'task-1' } })).toEqual([
        'open',
        'prepare',
        'send',
        'lose',
        'refused',
        'note',
      ])
    })

    it('is followed, filtered and cut', async () => {
      const { store } = await newStore()
      await did(store, 'a', [PREPARE('a')], later(1))
      await did(store, 'b', [PREPARE('b')], later(2, 'bob'))
      await did(store, 'c', [PREPARE('c')], later(3))
      expect(await types(store, { after_seq: 4 })).toEqual(['prepare'])
      expect(await types(store, { actors: ['bob', 'flag:bob'] })).toEqual(['prepare'])
      expect(await types(store, { type: 'open' })).toEqual(['open'])
      expect(await types(store, { limit: 2 })).toEqual(['created', 'open'])
      for (const [since, expected] of [
        [NOON - 1, 5],
        [NOON + 1, 4],
        [NOON + 2, 2],
        [NOON + 3, 1],
        [NOON + 4, 0],
      ] as const)
        expect(await types(store, { since })).toHaveLength(expected)
    })

    it('of a new ledger says by what and when it was made', async () => {
      const { store } = await newStore()
      expect(await store.events({ limit: 10 })).toMatchObject([
        { subject: 'ledger', subject_id: store.ledgerId, type: 'created', actor: 'a test', at: NOON },
      ])
      expect(await store.lastCommitAt()).toBe(NOON)
    })

    it('knows the time of the last commit', async () => {
      const { store } = await newStore()
      await did(store, 'a', [PREPARE('a')], later(7))
      expect(await store.lastCommitAt()).toBe(NOON + 7)
    })
  })
}

async function types(store: Store, over: Partial<EventQuery>): Promise<string[]> {
  const events = await store.events({ limit: 100, ...over })
  return events.map(({ type }) => type)
}
