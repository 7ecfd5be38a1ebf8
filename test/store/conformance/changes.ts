import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../src/core/digest.js'
import type { Refusal } from '../../../src/core/transitions/requests.js'
import { anIntent, asked, NOON, SEEN, stampAt } from '../../core/builders.js'
import {
  ANA,
  attestation,
  CONFIRM,
  did,
  LOSE,
  later,
  PREPARE,
  PREPARE_AGAIN,
  receipt,
  SEND,
  step,
  tried,
} from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

export function changesConform(newStore: NewStore): void {
  describe('a change of an operation', () => {
    it('prepares and sends in one commit, and opens the task on the way', async () => {
      const { store } = await newStore()
      const changed = await tried(store, 'op', [PREPARE('op'), SEND()])
      expect(changed.events).toEqual([
        { n: 1, type: 'prepare' },
        { n: 2, type: 'send' },
      ])
      expect(changed.task).toMatchObject({ task_id: 'task-1', status: 'running', epoch: 1, version: 1 })
      const record = await store.operation('op')
      expect(record?.operation).toEqual(changed.state?.operation)
      expect(record?.attempts).toEqual(changed.state?.attempts)
      expect(record?.operation).toMatchObject({ status: 'in_flight', attempt: 1, version: 2, lease_fence: 2 })
    })

    it('gives back every field of an intent as it was written', async () => {
      const { store } = await newStore()
      const intent = anIntent({
        operation_id: 'Überweisung / 12 : 日本語',
        phase: 'pay',
        step: '3',
        effect: 'compensable',
        target: null,
        input: { list: [1, 2.5, null, true], text: 'a "quoted" \n line 😀', big: '9007199254740993' },
        repeat: { kind: 'idempotency_key', retention_ms: 86_400_000, scope: 'eu' },
        contract: {
          arrival_bound_ms: 'unbounded',
          stall: { no_progress: 60_000 },
          look_here: { url: 'https://x' },
        },
        amount: 12.34,
        deadline_at: NOON + 1_000_000,
        timeout_ms: 30_000,
        compensates: 'another',
        supersedes: 'older',
        checkpoint: { source: 'langgraph', thread_id: 't', node: 'pay', step: 3 },
        provenance: 'record',
        links: ['https://example.org/1'],
      })
      await did(store, intent.operation_id, [step({ type: 'prepare', intent })])
      const record = await store.operation(intent.operation_id)
      expect(record?.operation).toMatchObject(intent)
    })

    it('keeps an input that is null apart from no input', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op', { input: null, input_digest: digestOf(null) })])
      expect((await store.operation('op'))?.operation.input).toBeNull()
    })

    it('confirms with its evidence, its external ids and its result in one commit', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND()])
      const { operation } = await did(store, 'op', [CONFIRM()], later(5))
      expect(operation).toMatchObject({
        status: 'confirmed',
        settled_at: NOON + 5,
        evidence_count: 1,
        version: 3,
      })
      const record = await store.operation('op')
      expect(record?.operation).toEqual(operation)
      expect(record?.external_ids).toEqual([{ kind: 'ticket', value: 'T-1' }])
      expect(record?.evidence).toMatchObject([{ n: 1, kind: 'receipt', at: NOON + 5, actor: 'ana' }])
      expect(record?.attempts[0]).toMatchObject({ end: 'applied', ended_at: NOON + 5 })
      const [event] = await store.events({ about: { operation_id: 'op' }, type: 'confirm', limit: 1 })
      expect(event?.body).toMatchObject({ evidence: [{ n: 1, hash: record?.evidence[0]?.hash }] })
    })

    it('plans on what is stored at that moment', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      const seen = await store.change({
        operation_id: 'op',
        by: later(1),
        isOwnerGone: () => false,
        onRefusal: 'undo',
        plan: state => {
          expect(state?.operation.status).toBe('unknown')
          expect(state?.attempts).toHaveLength(1)
          return []
        },
      })
      expect(seen).toMatchObject({ events: [], refusal: null, state: { operation: { version: 3 } } })
    })

    it('answers null for an operation that is not there, without asking the plan', async () => {
      const { store } = await newStore()
      const changed = await tried(store, 'nobody', [LOSE()])
      expect(changed).toEqual({ state: null, task: null, events: [], refusal: null, repeated: false })
    })

    it('writes nothing when its only step is refused, not even the task', async () => {
      const { store } = await newStore()
      const changed = await tried(store, 'op', [SEND()], ANA, { task_id: 'task-9' })
      expect(changed.refusal).not.toBeNull()
      expect(await store.operation('op')).toBeNull()
      expect(await store.task('task-9')).toBeNull()
      expect(await store.events({ limit: 10 })).toHaveLength(1)
    })

    it('keeps the steps before a refusal, or undoes them all', async () => {
      const { store } = await newStore()
      const tooOften = [PREPARE('kept'), SEND(), SEND()]
      const kept = await tried(store, 'kept', tooOften)
      expect(kept.refusal).not.toBeNull()
      expect((await store.operation('kept'))?.operation.status).toBe('in_flight')
      const undone = await tried(store, 'undone', [PREPARE('undone'), SEND(), SEND()], ANA, {
        onRefusal: 'undo',
      })
      expect(undone).toMatchObject({ events: [], state: null })
      expect(await store.operation('undone')).toBeNull()
    })

    it('refuses a key that another operation has in that scope', async () => {
      const { store } = await newStore()
      await did(store, 'one', [PREPARE('one', { idempotency_key: 'k' })])
      const refused = await tried(store, 'two', [PREPARE('two', { idempotency_key: 'k' })])
      expect(refused.refusal).toMatchObject({ rule: 'key_unused', code: 'conflict' })
      await did(store, 'three', [PREPARE('three', { idempotency_key: 'k', key_scope: 'elsewhere' })])
    })

    it('refuses the same tool and input under another id of the task, until it is said why', async () => {
      const { store } = await newStore()
      const same = { input: { title: 'one' } }
      await did(store, 'refused', [PREPARE('refused', same), SEND(), step(asked.reject(), [SEEN])])
      await did(store, 'first', [PREPARE('first', same)])
      const refused = await tried(store, 'second', [PREPARE('second', same)])
      expect(refused).toMatchObject({ state: null, refusal: { rule: 'same_write_once', other: 'first' } })
      await did(store, 'second', [PREPARE_AGAIN('second', 'two of them are wanted', same)])
      await did(store, 'other', [PREPARE('other', { ...same, task_id: 'task-2' })])
      expect((await store.operation('second'))?.operation.flags.again).toBe('two of them are wanted')
      expect((await store.operation('second'))?.operation.same_as).toBe('first')
      expect((await store.operation('other'))?.operation.same_as).toBeNull()
    })

    it('lets time never run below the last commit', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')], later(100))
      const { operation } = await did(store, 'op', [SEND()], later(40))
      expect(operation.updated_at).toBe(NOON + 100)
    })

    it('tells the plan when the clocks disagree since the last commit', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      const jumped = { actor: 'ana', clock: () => ({ ...stampAt(NOON), at: NOON + 3 * 3_600_000 }) }
      const doubts: boolean[] = []
      const look = (by: typeof ANA) =>
        store.change({
          operation_id: 'op',
          by,
          isOwnerGone: () => false,
          onRefusal: 'undo',
          plan: (_, context) => {
            doubts.push(context.clock_doubt)
            return []
          },
        })
      await look(later(1_000))
      await look(jumped)
      expect(doubts).toEqual([false, true])
    })

    it('asks about the owner of the lease and orphans what it left', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND({ owner: 'a process' })])
      const orphan = [step({ type: 'orphan', why: 'owner_gone', reason: null })]
      const alive = await tried(store, 'op', orphan, later(1))
      expect(alive.refusal).toMatchObject({ rule: 'executor_gone' })
      const gone = await tried(store, 'op', orphan, later(1), { isOwnerGone: owner => owner === 'a process' })
      expect(gone.state?.operation).toMatchObject({
        status: 'unknown',
        may_have_applied: true,
        lease_owner: null,
      })
    })

    it('carries a decision out once, whatever happens in between', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      const resolve = step(
        {
          type: 'resolve_confirmed',
          reason: 'seen',
          expected_version: 3,
          external_ids: [],
          result: null,
          result_digest: null,
        },
        [attestation()],
      )
      const first = await tried(store, 'op', [resolve], later(1), { decision_id: 'd-1' })
      expect(first).toMatchObject({ repeated: false, refusal: null })
      const reopen = { type: 'reopen', reason: 'doubt', expected_version: null } as const
      await did(store, 'op', [step(reopen)], later(2))
      const second = await tried(store, 'op', [resolve], later(3), { decision_id: 'd-1' })
      expect(second).toMatchObject({ repeated: true, refusal: null, events: [] })
      expect((await store.operation('op'))?.operation.status).toBe('unknown')
      await did(store, 'other', [PREPARE('other')])
      const elsewhere = await tried(store, 'other', [SEND()], later(4), { decision_id: 'd-1' })
      expect(elsewhere.refusal).toMatchObject({ rule: 'decision_unused', code: 'conflict' })
    })

    it('lets one of two people who looked at the same version decide', async () => {
      const { store, again } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND(), LOSE()])
      const other = await again()
      const abandon = step({ type: 'abandon', reason: 'enough', expected_version: 3 })
      const both = await Promise.all([
        tried(store, 'op', [abandon], later(1, 'ana')),
        tried(other, 'op', [abandon], later(1, 'bob')),
      ])
      const refusals = both
        .map(({ refusal }) => refusal)
        .filter((refusal): refusal is Refusal => refusal !== null)
      expect(refusals).toHaveLength(1)
      expect(refusals[0]).toMatchObject({ rule: 'version_as_seen', code: 'conflict' })
    })

    it('adds a late receipt to what is known and never takes an id away', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND()])
      await did(store, 'op', [CONFIRM()], later(1))
      const late = step(
        {
          type: 'late_result',
          attempt: 1,
          fence: 2,
          end: 'applied',
          external_ids: [{ kind: 'ticket', value: 'T-2', url: 'https://tickets.example/T-2' }],
          result: null,
          result_digest: null,
          error: null,
        },
        [receipt(1, { id: 'T-2' })],
      )
      const { operation } = await did(store, 'op', [late], later(2))
      expect(operation.flags).toEqual({ duplicates: true })
      const record = await store.operation('op')
      expect(record?.external_ids.map(({ value }) => value)).toEqual(['T-1', 'T-2'])
      expect(record?.evidence.map(({ n }) => n)).toEqual([1, 2])
    })
  })
}
