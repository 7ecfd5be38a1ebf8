import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/store/store.js'
import { NOON } from '../../core/builders.js'
import { ANA, did, later, PREPARE, SEND } from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

const HOLDER = { operation_id: 'op', attempt: 1, fence: 2 }

function signal(kind: Signal['kind'], ms: number, over: Partial<Signal> = {}): Signal {
  return { kind, subject: HOLDER, clock: () => later(ms).clock(), ...over }
}

export function signalsConform(newStore: NewStore): void {
  async function inFlight() {
    const opened = await newStore()
    await did(opened.store, 'op', [PREPARE('op'), SEND()])
    return opened
  }

  describe('a signal', () => {
    it('keeps heartbeat, activity and progress apart', async () => {
      const { store } = await inFlight()
      const times = async () => {
        const { heartbeat_at, activity_at, progress_at } = (await store.operation('op'))?.operation ?? {}
        return [heartbeat_at, activity_at, progress_at]
      }
      await store.signal(signal('heartbeat', 1))
      expect(await times()).toEqual([NOON + 1, null, null])
      await store.signal(signal('activity', 2))
      expect(await times()).toEqual([NOON + 2, NOON + 2, null])
      await store.signal(signal('progress', 3, { progress: { batch: 7 } }))
      expect(await times()).toEqual([NOON + 3, NOON + 3, NOON + 3])
      await store.signal(signal('heartbeat', 4))
      expect(await times()).toEqual([NOON + 4, NOON + 3, NOON + 3])
      const record = await store.operation('op')
      expect(record?.operation.progress).toEqual({ batch: 7 })
      expect(record?.attempts[0]).toMatchObject({ heartbeat_at: NOON + 4, progress: { batch: 7 } })
    })

    it('renews the lease without an event or a new version', async () => {
      const { store } = await inFlight()
      const held = await store.signal(signal('heartbeat', 20_000, { lease_ms: 60_000 }))
      expect(held).toEqual({ held: true, lease_expires_at: NOON + 80_000, cancel_requested: false })
      const { operation } = (await store.operation('op')) ?? {}
      expect(operation).toMatchObject({ version: 2, updated_at: NOON, lease_expires_at: NOON + 80_000 })
      expect(await store.events({ about: { operation_id: 'op' }, limit: 10 })).toHaveLength(2)
    })

    it('cannot renew a lease that has lapsed', async () => {
      const { store } = await inFlight()
      const late = await store.signal(signal('heartbeat', 60_000, { lease_ms: 60_000 }))
      expect(late).toMatchObject({ held: false, reason: expect.stringMatching(/has lapsed/) })
      expect((await store.operation('op'))?.operation.heartbeat_at).toBeNull()
    })

    it('is heard only from whoever holds the fence', async () => {
      const { store } = await inFlight()
      expect(await store.signal(signal('heartbeat', 1, { subject: { ...HOLDER, fence: 1 } }))).toMatchObject({
        held: false,
      })
      expect(
        await store.signal(signal('heartbeat', 1, { subject: { ...HOLDER, attempt: 2 } })),
      ).toMatchObject({
        held: false,
      })
      const nobody = { ...HOLDER, operation_id: 'nobody' }
      expect(await store.signal(signal('heartbeat', 1, { subject: nobody }))).toMatchObject({ held: false })
    })

    it('tells the executor that a cancel is asked', async () => {
      const { store } = await inFlight()
      await did(store, 'op', [{ request: { type: 'cancel', reason: 'wrong', expected_version: null } }])
      expect(await store.signal(signal('heartbeat', 1))).toMatchObject({ held: true, cancel_requested: true })
    })

    it('of a task is heard until somebody takes it over or it is closed', async () => {
      const { store } = await inFlight()
      const subject = { task_id: 'task-1' }
      expect(await store.signal(signal('progress', 5, { subject, progress: 'half' }))).toMatchObject({
        held: true,
      })
      expect(await store.task('task-1')).toMatchObject({
        progress_at: NOON + 5,
        version: 1,
        updated_at: NOON,
      })
      await store.changeTask({
        task_id: 'task-1',
        request: { type: 'takeover', reason: 'stuck' },
        by: ANA,
        isOwnerGone: () => false,
      })
      expect(await store.signal(signal('heartbeat', 6, { subject }))).toMatchObject({
        held: false,
        reason: expect.stringMatching(/taken over by ana/),
      })
      expect(await store.signal(signal('heartbeat', 6, { subject: { task_id: 'nobody' } }))).toMatchObject({
        held: false,
      })
    })
  })
}
