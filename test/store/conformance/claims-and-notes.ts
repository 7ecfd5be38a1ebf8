import { describe, expect, it } from 'vitest'
import { NOON } from '../../core/builders.js'
import { did, later, PREPARE } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

const OP = { operation_id: 'op' }
const DEFER = { ...OP, reason: 'on Monday' }

export function claimsConform(newStore: NewStore): void {
  describe('a claim', () => {
    it('is one person at a time, until it ends', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const mine = { subject: OP, actor: 'ana', at: NOON, until: NOON + 100 }
      expect(await store.claim(mine)).toEqual(mine)
      expect(await store.claim({ ...mine, actor: 'bob', at: NOON + 50, until: NOON + 150 })).toBeNull()
      expect((await store.claimsOf([OP], NOON + 50)).map(({ actor }) => actor)).toEqual(['ana'])
      expect(await store.claimsOf([OP], NOON + 100)).toEqual([])
      const next = { ...mine, actor: 'bob', at: NOON + 100, until: NOON + 200 }
      expect(await store.claim(next)).toEqual(next)
      expect((await store.operation('op'))?.claim).toEqual(next)
    })

    it('is renewed by the same person', async () => {
      const { store } = await newStore()
      const mine = { subject: { task_id: 't' }, actor: 'ana', at: NOON, until: NOON + 100 }
      await store.claim(mine)
      const longer = { ...mine, at: NOON + 10, until: NOON + 900 }
      expect(await store.claim(longer)).toEqual(longer)
    })

    it('is released by its holder, or by anybody once it has ended', async () => {
      const { store } = await newStore()
      await store.claim({ subject: OP, actor: 'ana', at: NOON, until: NOON + 100 })
      expect(await store.release(OP, later(1, 'bob'))).toBe(false)
      expect(await store.release(OP, later(2, 'ana'))).toBe(true)
      expect(await store.release(OP, later(3, 'ana'))).toBe(false)
      await store.claim({ subject: OP, actor: 'ana', at: NOON, until: NOON + 100 })
      expect(await store.release(OP, later(100, 'bob'))).toBe(true)
    })
  })

  describe('a note', () => {
    it('is kept with who wrote it and when', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const about = {
        task_id: 'task-1',
        operation_id: 'op',
        kind: 'finding',
        body: { text: 'disk 3' },
      } as const
      const note = await store.addNote(about, later(5, 'bob'))
      expect(note).toEqual({ note_id: 1, ...about, actor: 'bob', at: NOON + 5 })
      const second = await store.addNote(
        { task_id: 'task-1', kind: 'open', body: 'look at disk 4' },
        later(6),
      )
      expect((await store.taskRecord('task-1'))?.notes).toEqual([note, second])
      expect((await store.operation('op'))?.notes).toEqual([note])
      expect((await store.operation('op'))?.operation.version).toBe(1)
    })

    it('needs a task that is there', async () => {
      const { store } = await newStore()
      const lost = store.addNote({ task_id: 'nobody', kind: 'remark', body: 'x' }, later(1))
      await expect(lost).rejects.toMatchObject({ code: 'not_found', id: 'nobody' })
    })
  })

  describe('a deferral', () => {
    it('is stored beside the operation and recorded, and moves no version', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const deferred = await store.setDefer({ ...DEFER, until: NOON + 1_000 }, later(5))
      expect(deferred).toMatchObject({ defer_until: NOON + 1_000, version: 1 })
      expect(await store.events({ about: OP, type: 'defer', limit: 5 })).toMatchObject([
        { subject: 'ledger', about: 'op', body: { until: NOON + 1_000, reason: 'on Monday' } },
      ])
      expect(await store.setDefer({ ...DEFER, until: null }, later(6))).toMatchObject({ defer_until: null })
      expect(await store.setDefer({ ...DEFER, operation_id: 'nobody', until: 1 }, later(7))).toBeNull()
    })
  })
}
