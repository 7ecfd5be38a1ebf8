import { describe, expect, it } from 'vitest'
import { isInDoubt } from '../../../src/core/in-doubt.js'
import { EFFECTS } from '../../../src/core/operation.js'
import { RISK_RANKS } from '../../../src/core/risk.js'
import type { OperationQuery, Store } from '../../../src/store/store.js'
import { NOON, stampAt } from '../../core/builders.js'
import {
  ANA,
  attestation,
  CONFIRM,
  did,
  LOSE,
  later,
  PREPARE,
  PREPARE_AGAIN,
  SEND,
  step,
} from '../support/changes.js'
import type { NewStore } from '../support/stores.js'

const QUERY: OperationQuery = {
  scope: 'in_doubt',
  now: ANA.clock(),
  goneOwners: [],
  sort: 'risk',
  limit: 100,
}

export function listsConform(newStore: NewStore): void {
  describe('the list of operations', () => {
    it('puts the riskiest first: effect, then amount, then age', async () => {
      const { store } = await newStore()
      const lost = (id: string, over: object, ms: number) =>
        did(store, id, [PREPARE(id, over), SEND(), LOSE()], later(ms))
      await lost('read', { effect: 'read' }, 1)
      await lost('reversible', { effect: 'reversible' }, 2)
      await lost('old-compensable', { effect: 'compensable' }, 3)
      await lost('mitigable', { effect: 'mitigable' }, 4)
      await lost('small', { effect: 'irreversible', amount: 10 }, 5)
      await lost('large', { effect: 'irreversible', amount: 1000.5 }, 6)
      await lost('undeclared', { effect: null }, 7)
      expect(await ids(store, {})).toEqual([
        'undeclared',
        'large',
        'small',
        'old-compensable',
        'mitigable',
        'reversible',
        'read',
      ])
    })

    it('has the order of risk that core has', async () => {
      const { store } = await newStore()
      for (const effect of [null, ...EFFECTS])
        await did(store, `${effect}`, [PREPARE(`${effect}`, { effect }), SEND(), LOSE()])
      const ranks = (await store.operations({ ...QUERY })).operations.map(
        ({ effect }) => RISK_RANKS[effect ?? 'undeclared'],
      )
      expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
      expect(new Set(ranks).size).toBe(5)
    })

    it('is sorted by age or by id when asked', async () => {
      const { store } = await newStore()
      await did(store, 'b', [PREPARE('b', { effect: 'read' }), SEND(), LOSE()], later(1))
      await did(store, 'a', [PREPARE('a'), SEND(), LOSE()], later(2))
      expect(await ids(store, { sort: 'age' })).toEqual(['b', 'a'])
      expect(await ids(store, { sort: 'id' })).toEqual(['a', 'b'])
      expect(await ids(store, { sort: 'age', scope: 'all' })).toEqual(['b', 'a'])
      expect(await ids(store, { sort: 'id', scope: 'all' })).toEqual(['a', 'b'])
      expect(await ids(store, { sort: 'risk', scope: 'all' })).toEqual(['a', 'b'])
    })

    it('says how many more there are than it shows', async () => {
      const { store } = await newStore()
      for (let n = 0; n < 7; n++) await did(store, `op-${n}`, [PREPARE(`op-${n}`), SEND(), LOSE()])
      for (const scope of ['attention', 'in_doubt', 'open', 'all'] as const) {
        const page = await store.operations({ ...QUERY, scope, limit: 3 })
        expect([page.operations.length, page.left_out, page.left_out_is_least]).toEqual([3, 4, false])
      }
      const whole = await store.operations({ ...QUERY, limit: null })
      expect([whole.operations.length, whole.left_out]).toEqual([7, 0])
      expect((await store.operations({ ...QUERY, limit: 7 })).left_out).toBe(0)
    })

    it('agrees with core about what is in doubt, by both clocks and by owners that are gone', async () => {
      const { store } = await newStore()
      await did(store, 'unknown', [PREPARE('unknown'), SEND(), LOSE()])
      await did(store, 'flying', [PREPARE('flying'), SEND({ owner: 'a' })])
      await did(store, 'flying-long', [PREPARE('flying-long'), SEND({ owner: 'b', lease_ms: 7_200_000 })])
      await did(store, 'no-lease', [PREPARE('no-lease'), SEND({ owner: 'c', lease_ms: null })])
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'sent', [PREPARE('sent'), SEND()])
      await did(store, 'sent', [CONFIRM()])
      const keyed = { repeat: { kind: 'idempotency_key', retention_ms: 86_400_000 } } as const
      await did(store, 'again', [PREPARE('again', keyed), SEND(), LOSE(), step({ type: 'resend' })])
      const all = (await store.operations({ ...QUERY, scope: 'all', sort: 'id' })).operations
      const looks = [
        { now: stampAt(NOON), goneOwners: [] },
        { now: stampAt(NOON), goneOwners: ['a', 'c'] },
        { now: stampAt(NOON + 60_000), goneOwners: [] },
        { now: { ...stampAt(NOON), at: NOON + 60_000 }, goneOwners: [] },
        { now: { at: NOON + 60_000, boot_id: 'boot-2', boot_ms: 5 }, goneOwners: ['nobody'] },
        { now: stampAt(NOON + 10_000_000), goneOwners: ['a', 'b', 'c'] },
      ]
      for (const { now, goneOwners } of looks) {
        const isOwnerGone = (owner: string) => goneOwners.includes(owner)
        const expected = all.filter(operation => isInDoubt(operation, { now, isOwnerGone }))
        expect(await ids(store, { now, goneOwners, sort: 'id' })).toEqual(expected.map(o => o.operation_id))
      }
    })

    it('shows for attention also what is flagged and what waits for an approval, each once', async () => {
      const { store } = await newStore()
      await did(store, 'doubled', [PREPARE('doubled'), SEND()])
      await did(store, 'doubled', [CONFIRM({ duplicates: true })])
      await did(store, 'approve', [PREPARE('approve', { contract: { approval: 'required' } })])
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'lost', [PREPARE('lost'), SEND(), LOSE()])
      await did(store, 'fine', [PREPARE('fine'), SEND()])
      await did(store, 'fine', [CONFIRM()])
      expect(await ids(store, { scope: 'attention', sort: 'id' })).toEqual(['approve', 'doubled', 'lost'])
      expect(await ids(store, { scope: 'attention', sort: 'id', task_id: 'task-1' })).toEqual([
        'approve',
        'doubled',
        'lost',
      ])
      expect(await store.counts(NOON)).toMatchObject({ duplicates: 1, unknown: 1, prepared: 2 })
    })

    it('can be asked for statuses, a task, a tool, an external id and times', async () => {
      const { store } = await newStore()
      await did(store, 'one', [PREPARE('one', { tool: 'mail.send' }), SEND()], later(0))
      await did(store, 'one', [CONFIRM()], later(10))
      await did(store, 'two', [PREPARE('two', { task_id: 'task-2' }), SEND(), LOSE()], later(20))
      await did(store, 'three', [PREPARE('three')], later(30))
      await did(store, 'four', [PREPARE('four'), SEND(), LOSE()], later(40))
      const resolve = {
        type: 'resolve_not_executed',
        reason: 'seen',
        expected_version: null,
        early: true,
      } as const
      await did(store, 'four', [step(resolve, [attestation()])], later(50))
      const all = { scope: 'all', sort: 'id' } as const
      expect(await ids(store, { ...all, statuses: ['confirmed', 'prepared'] })).toEqual(['one', 'three'])
      expect(await ids(store, { ...all, statuses: ['not_executed'] })).toEqual(['four'])
      expect(await ids(store, { ...all, statuses: [] })).toEqual([])
      expect(await ids(store, { scope: 'in_doubt', statuses: ['confirmed'] })).toEqual([])
      expect(await ids(store, { scope: 'open', sort: 'id', statuses: ['prepared'] })).toEqual(['three'])
      expect(await ids(store, { ...all, task_id: 'task-2' })).toEqual(['two'])
      expect(await ids(store, { ...all, task_id: 'task-1', statuses: ['prepared'] })).toEqual(['three'])
      expect(await ids(store, { scope: 'in_doubt', task_id: 'task-1' })).toEqual([])
      expect(await ids(store, { ...all, tool: 'mail.send' })).toEqual(['one'])
      expect(await ids(store, { scope: 'in_doubt', tool: 'mail.send' })).toEqual([])
      expect(await ids(store, { ...all, external_id: 'T-1' })).toEqual(['one'])
      expect(await ids(store, { ...all, external_id: 'ticket=T-1' })).toEqual(['one'])
      expect(await ids(store, { ...all, external_id: 'mail=T-1' })).toEqual([])
      expect(await ids(store, { scope: 'open', external_id: 'T-1' })).toEqual([])
      expect(await ids(store, { ...all, since: NOON + 20 })).toEqual(['four', 'three', 'two'])
      expect(await ids(store, { ...all, since: NOON + 51 })).toEqual([])
      expect(await ids(store, { ...all, since: NOON + 10, tool: 'mail.send' })).toEqual(['one'])
      expect(await ids(store, { ...all, before: NOON + 20 })).toEqual(['one', 'two'])
      expect(await ids(store, { scope: 'in_doubt', before: NOON + 19 })).toEqual([])
      expect(await ids(store, { scope: 'in_doubt', since: NOON + 20 })).toEqual(['two'])
    })

    it('finds an external id that has an equals sign in its value', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op'), SEND()])
      await did(store, 'op', [CONFIRM({ external_ids: [{ kind: 'query', value: 'a=b' }] })])
      for (const external_id of ['a=b', 'query=a=b'])
        expect(await ids(store, { scope: 'all', external_id })).toEqual(['op'])
    })

    it.each(['risk', 'age', 'id'] as const)(
      'read page by page has each operation once, in the order of %s',
      async sort => {
        const { store } = await newStore()
        for (let n = 0; n < 23; n++) {
          const id = `op-${(n * 7) % 23}`
          const effect = [...EFFECTS, null][n % 6] ?? null
          await did(store, id, [PREPARE(id, { effect, amount: n % 3 === 0 ? 10 : null })], later(n % 4))
        }
        for (const scope of ['all', 'open'] as const) {
          const whole = await ids(store, { scope, sort })
          const paged: string[] = []
          for (let page: string[] | null = null; page === null || page.length === 5; ) {
            const after = paged.at(-1)
            page = await ids(store, { scope, sort, limit: 5, ...(after === undefined ? {} : { after }) })
            paged.push(...page)
          }
          expect(paged).toEqual(whole)
          expect(new Set(paged).size).toBe(23)
        }
      },
    )

    it('leaves large values out of its rows, and what is left out uncounted where that is asked', async () => {
      const { store } = await newStore()
      for (const id of ['a', 'b', 'c']) await did(store, id, [PREPARE(id, { input: id.repeat(1000) })])
      const page = await store.operations({ ...QUERY, scope: 'all', limit: 2, uncounted: true })
      expect(page).toMatchObject({ left_out: 0, left_out_is_least: false })
      expect(page.operations.map(operation => 'input' in operation)).toEqual([false, false])
    })

    it('parts what is open into what needs a person and what moves, each once', async () => {
      const { store } = await newStore()
      await did(store, 'held', [PREPARE('held'), SEND({ lease_ms: 60_000 })])
      await did(store, 'lost', [PREPARE('lost'), SEND({ lease_ms: 10 })])
      await did(store, 'unleased', [PREPARE('unleased'), SEND({ lease_ms: null })])
      await did(store, 'waiting', [PREPARE('waiting')])
      await did(store, 'asking', [PREPARE('asking', { contract: { approval: 'required' } })])
      await did(store, 'unknown', [PREPARE('unknown'), SEND(), LOSE()])
      const now = stampAt(NOON + 1_000)
      const of = async (scope: OperationQuery['scope']) =>
        (await ids(store, { scope, now, sort: 'id' })).sort()
      expect(await of('attention')).toEqual(['asking', 'lost', 'unknown'])
      expect(await of('moving')).toEqual(['held', 'unleased', 'waiting'])
      expect([...(await of('attention')), ...(await of('moving'))].sort()).toEqual(await of('open'))
      const ofTask = { scope: 'moving', now, sort: 'id', task_id: 'task-1' } as const
      expect(await ids(store, ofTask)).toEqual(['held', 'unleased', 'waiting'])
    })

    it('passes over what moved just now, unless something of its own says that it may stand still', async () => {
      const { store } = await newStore()
      const at = NOON + 60_000
      const moving = (id: string, over: object) =>
        did(store, id, [PREPARE(id, { input: id, ...over })], later(at - NOON))
      await did(store, 'old', [PREPARE('old')])
      await moving('fresh', {})
      await moving('due', { deadline_at: at })
      await moving('limited', { contract: { stall: { never_sent: 1 } } })
      await did(
        store,
        'timed',
        [PREPARE('timed', { input: 'timed', timeout_ms: 5 }), SEND()],
        later(at - NOON),
      )
      const now = stampAt(at)
      expect(await ids(store, { scope: 'moving', now, quiet_since: at - 1, sort: 'id' })).toEqual([
        'due',
        'limited',
        'old',
        'timed',
      ])
    })

    it('has settled repeats of an earlier write in a scope of their own', async () => {
      const { store } = await newStore()
      await did(store, 'done', [PREPARE('done', { input: 1 }), SEND(), CONFIRM()])
      await did(store, 'again', [PREPARE_AGAIN('again', 'wanted twice', { input: 1 }), SEND(), CONFIRM()])
      await did(store, 'open', [PREPARE('open', { input: 1, provenance: 'imported' })])
      expect(await ids(store, { scope: 'repeated' })).toEqual(['again'])
      expect(await ids(store, { scope: 'repeated', task_id: 'other' })).toEqual([])
    })

    it('takes hostile text in a filter for what it is: text', async () => {
      const { store } = await newStore()
      await did(store, 'op', [PREPARE('op')])
      const hostile = `x' or '1'='1`
      expect(await ids(store, { scope: 'all', tool: hostile })).toEqual([])
      expect(await ids(store, { scope: 'all', task_id: hostile })).toEqual([])
      expect(await ids(store, { scope: 'all', external_id: hostile })).toEqual([])
    })
  })
}

async function ids(store: Store, over: Partial<OperationQuery>): Promise<string[]> {
  const { operations } = await store.operations({ ...QUERY, ...over })
  return operations.map(({ operation_id }) => operation_id)
}
