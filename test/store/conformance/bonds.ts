import { describe, expect, it } from 'vitest'
import { approvalDigest } from '../../../src/core/approval-digest.js'
import { NOON } from '../../core/builders.js'
import {
  ANA,
  attestation,
  did,
  EVERYTHING,
  LOSE,
  later,
  PREPARE,
  receipt,
  SEND,
  step,
  tried,
} from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

/** What a change of one operation rests on beside the operation: what it undoes, what permits it, what was seen, what it writes to. */
export function bondsConform(newStore: NewStore): void {
  describe('a compensation', () => {
    const COMPENSATION = PREPARE('undo', { compensates: 'op', tool: 'tickets.close' })

    it('is sent only once what it undoes is confirmed and nobody else undoes it', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      await did(store, 'undo', [COMPENSATION])
      const early = await tried(store, 'undo', [SEND()])
      expect(early.refusal).toMatchObject({
        rule: 'compensation_allowed',
        reason: expect.stringMatching(/unknown/),
      })
      const resolve = {
        type: 'resolve_confirmed',
        reason: 'seen',
        expected_version: null,
        external_ids: [],
        result: null,
        result_digest: null,
      } as const
      await did(store, 'op', [step(resolve, [attestation()])])
      const afterArrival = later(3_600_000)
      await did(store, 'undo', [SEND()], afterArrival)
      await did(store, 'again', [PREPARE('again', { compensates: 'op' })], afterArrival)
      const twice = await tried(store, 'again', [SEND()], afterArrival)
      expect(twice.refusal).toMatchObject({ reason: expect.stringMatching(/already undone by undo/) })
    })
  })

  describe('an approval', () => {
    it('is used in the commit of the send that it permits', async () => {
      const { store } = await newStore()
      const approved = PREPARE('op', { contract: { approval: 'required' } })
      await did(store, 'op', [approved])
      expect((await tried(store, 'op', [SEND()])).refusal).toMatchObject({ rule: 'approval_matches' })
      const record = await store.operation('op')
      if (record === null) throw new Error('op is not there')
      const digest = approvalDigest(record.operation)
      const leave = { operation_id: 'op', digest, approved: {}, reason: 'fine', expires_at: null, uses: 1 }
      const granted = await store.approve(leave, later(0))
      const approval_id = granted?.approval?.approval_id
      await did(store, 'op', [SEND()], later(1))
      const after = await store.operation('op')
      expect(after?.approvals).toMatchObject([{ approval_id, used: 1 }])
      expect(after?.operation.approval_id).toBe(approval_id)
      expect(await store.verify()).toMatchObject({ findings: [] })
    })
  })

  describe('evidence that concludes nothing', () => {
    it('joins the chain and leaves version and status as they were', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      const added = await store.addEvidence({
        operation_id: 'op',
        evidence: [{ kind: 'probe', origin: 'looked_up', attempt: null, body: { found: 0 } }],
        external_ids: [{ kind: 'ticket', value: 'T-9', scope: 'eu' }],
        next_look_at: NOON + 60_000,
        by: later(10),
      })
      expect(added).toMatchObject([{ n: 1, kind: 'probe', at: NOON + 10 }])
      const record = await store.operation('op')
      expect(record?.operation).toMatchObject({
        version: 3,
        status: 'unknown',
        evidence_count: 1,
        next_look_at: NOON + 60_000,
      })
      expect(record?.evidence).toEqual(added)
      expect(record?.external_ids).toEqual([{ kind: 'ticket', value: 'T-9', scope: 'eu' }])
    })

    it('is refused for an operation that is not there', async () => {
      const { store } = await newStore()
      const nobody = store.addEvidence({ operation_id: 'nobody', evidence: [receipt()], by: ANA })
      await expect(nobody).rejects.toMatchObject({ code: 'not_found', id: 'nobody' })
    })
  })

  describe('the target of an operation', () => {
    it('counts as touched once another operation on it was sent since', async () => {
      const { store } = await newStore()
      const repeat = { kind: 'idempotent' } as const
      const same = { target: 'server-1', repeat }
      await did(store, 'before', [PREPARE('before', same), SEND()], later(0))
      await did(store, 'op', [PREPARE('op', same), SEND(), LOSE()], later(10))
      expect((await store.operation('op'))?.target_touched).toBe(false)
      await did(store, 'waiting', [PREPARE('waiting', same)], later(20))
      expect((await store.operation('op'))?.target_touched).toBe(false)
      await did(store, 'waiting', [SEND()], later(30))
      expect((await store.operation('op'))?.target_touched).toBe(true)
      const resend = await tried(store, 'op', [step({ type: 'resend' })], later(40))
      expect(resend.refusal).toMatchObject({ rule: 'repeat_safe_or_accepted' })
    })

    it('is not known where none is named', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op', { target: null }), SEND()])
      expect((await store.operation('op'))?.target_touched).toBeNull()
    })
  })

  describe('a text that could not be stored as it is', () => {
    it.each(['half \ud800 of a pair', 'a \0 inside'])(
      'is refused before anything is written: %j',
      async text => {
        const { store } = await newStore()
        const refused = tried(store, 'op', [PREPARE('op', { target: text })])
        await expect(refused).rejects.toMatchObject({ code: 'invalid_input' })
        expect(await store.operation('op')).toBeNull()
      },
    )

    it.each(['', 'a\nb', 'x'.repeat(513), '\u0085'])(
      'as an id is refused by the schema too: %j',
      async id => {
        const { store } = await newStore()
        await expect(tried(store, id, [PREPARE(id)])).rejects.toThrow()
        expect((await store.operations(EVERYTHING)).operations).toEqual([])
      },
    )
  })
}
