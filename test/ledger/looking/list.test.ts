import { describe, expect, it } from 'vitest'
import { NO_CONFIG } from '../../../src/config/config.js'
import { looking } from '../../../src/ledger/looking.js'
import { aLedger } from '../support/a-ledger.js'
import { aSeenLedger, asPublished, idsOf } from './support.js'

const MINUTE = 60_000

describe('the list of what needs a person', () => {
  it('has what is in doubt and what is stalled, riskiest first, and nothing that moves or is settled', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.confirmed({ operation_id: 'done', input: 1 })
    await ledger.lost({ operation_id: 'lost-read', effect: 'read', input: 2 })
    await ledger.lost({ operation_id: 'lost-charge', amount: 90, input: 3 })
    await ledger.lost({ operation_id: 'lost-ticket', input: 4 })
    await ledger.prepared({ operation_id: 'forgotten', effect: 'reversible', input: 5 })
    clock.advance(20 * MINUTE)
    await ledger.inFlight({ operation_id: 'flying', input: 6 })
    await ledger.prepared({ operation_id: 'fresh', input: 7 })
    expect(await idsOf(see)).toEqual(['lost-charge', 'lost-ticket', 'forgotten', 'lost-read'])
    expect(await idsOf(see, { show: 'unknown' })).toEqual(['lost-charge', 'lost-ticket', 'lost-read'])
    expect(await idsOf(see, { show: 'stalled' })).toEqual(['forgotten'])
    expect(await idsOf(see, { show: 'stalled', rule: 'heartbeat_lost' })).toEqual([])
    expect((await idsOf(see, { show: 'all' })).length).toBe(7)
  })

  it('is refused for a task that is not there: an empty list would read like the all-clear', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ task_id: 'task-2' })
    await expect(idsOf(see, { taskId: 'task-3' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await idsOf(see, { taskId: 'task-2' })).toEqual(['ticket-1'])
  })

  it('has an operation at once whose process is known to be gone, and else when its lease has run out', async () => {
    const { see, clock, gone, ...ledger } = await aSeenLedger()
    const { operation } = await ledger.inFlight()
    expect(await idsOf(see)).toEqual([])
    expect(await see.underWay()).toEqual({ count: 1, next_lease_ends_in_ms: MINUTE })
    gone.add(operation.lease_owner ?? '')
    expect(await idsOf(see, { show: 'unknown' })).toEqual(['ticket-1'])
    gone.clear()
    clock.advance(MINUTE - 1)
    expect(await idsOf(see)).toEqual([])
    clock.advance(1)
    expect(await idsOf(see)).toEqual(['ticket-1'])
  })

  it('never has an operation in doubt by age whose writer takes no leases, but stalled', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    await ledger.inFlight({}, null)
    clock.advance(15 * MINUTE)
    expect(await idsOf(see)).toEqual([])
    clock.advance(1)
    expect(await idsOf(see, { show: 'unknown' })).toEqual([])
    const { operations } = await see.list()
    expect(operations).toMatchObject([{ in_doubt: false, stalled_by: [{ rule: 'attempt_overdue' }] }])
  })

  it('tells mail of which the phase of failure is known apart from mail of which it is not', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.rejected({ operation_id: 'refused-at-connect', tool: 'send_email', input: 1 })
    await ledger.lost({ operation_id: 'timeout-after-data', tool: 'send_email', input: 2 })
    await ledger.lost({ operation_id: 'timeout-somewhere', tool: 'send_email', input: 3 })
    const { operations } = asPublished('list@1', await see.list({ show: 'all', sort: 'age' }))
    expect(operations.map(({ operation_id, status, in_doubt }) => [operation_id, status, in_doubt])).toEqual([
      ['refused-at-connect', 'not_executed', false],
      ['timeout-after-data', 'unknown', true],
      ['timeout-somewhere', 'unknown', true],
    ])
  })

  it('shows who settled it where a person did', async () => {
    const { see, as, ...ledger } = await aSeenLedger()
    await ledger.confirmed({ operation_id: 'by-worker', input: 1 })
    await ledger.lost({ operation_id: 'by-lee', input: 2 })
    await as('lee').resolve('by-lee', { as: 'confirmed', evidence: ['seen'], reason: 'looked' })
    const { operations } = await see.list({ statuses: ['confirmed'], sort: 'id' })
    expect(operations.map(({ by_hand }) => by_hand)).toEqual([{ by: 'lee' }, null])
  })

  it('finds the operation that made an object, settled or not', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.confirmed({ operation_id: 'maker', input: 1 })
    expect(await idsOf(see, { externalId: 'T-1' })).toEqual(['maker'])
    expect(await idsOf(see, { externalId: 'ticket=T-1' })).toEqual(['maker'])
    expect(await idsOf(see, { externalId: 'invoice=T-1' })).toEqual([])
  })

  it('leaves nothing out silently', async () => {
    const { see, ...ledger } = await aSeenLedger()
    for (let i = 0; i < 7; i++)
      await ledger.lost({ operation_id: `op-${i}`, input: i, tool: i < 5 ? 'a' : 'b' })
    for (const show of ['attention', 'unknown', 'all'] as const) {
      expect((await see.list({ show, limit: 3 })).left_out).toBe(4)
    }
    const listing = see.listing({ limit: 3 })
    for await (const _ of listing.rows);
    expect(listing.summary()).toEqual({
      count: 7,
      oldest_age_ms: 0,
      tools: [
        ['a', 5],
        ['b', 2],
      ],
    })
  })

  it('groups by what they failed of', async () => {
    const { see, ...ledger } = await aSeenLedger()
    await ledger.lost({ operation_id: 'a', tool: 'x', input: 1 })
    await ledger.lost({ operation_id: 'b', tool: 'y', input: 2 })
    await ledger.lost({ operation_id: 'c', tool: 'y', input: 3 })
    const { groups } = asPublished('list@1', await see.list({ groupBy: 'cause' }))
    expect(groups?.map(({ cause, count }) => [cause, count])).toEqual([
      ['thrown y', 2],
      ['thrown x', 1],
    ])
  })

  it('is the same row by row as at once, over many pages', async () => {
    const { see, ...ledger } = await aSeenLedger()
    const effects = ['read', 'irreversible', null, 'reversible'] as const
    await Promise.all(
      Array.from({ length: 1_203 }, (_, i) => {
        const intent = { operation_id: `op-${i}`, effect: effects[i % effects.length] ?? null, input: i }
        return i % 3 === 0 ? ledger.lost(intent) : ledger.prepared(intent)
      }),
    )
    const ids: string[] = []
    for await (const { operation_id } of see.listing({ show: 'all' }).rows) ids.push(operation_id)
    expect(new Set(ids).size).toBe(1_203)
    expect(ids).toEqual(await idsOf(see, { show: 'all', limit: 2_000 }))
    expect((await idsOf(see, { show: 'unknown' })).length).toBe(401)
  })

  it('holds a page of it, however large a limit is, and counts what the limit leaves out', async () => {
    const ledger = await aLedger()
    await Promise.all(
      Array.from({ length: 1_203 }, (_, i) => ledger.lost({ operation_id: `op-${i}`, input: i })),
    )
    const pages: (number | null)[] = []
    const { clock, store } = ledger
    const operations: typeof store.operations = query => {
      pages.push(query.limit)
      return store.operations(query)
    }
    const see = looking({
      store: { ...store, operations },
      clock,
      isOwnerGone: () => false,
      config: NO_CONFIG,
    })
    const cut = await see.list({ show: 'all', limit: 1_100 })
    expect(pages).toEqual([512, 512, 76])
    expect([cut.operations.length, cut.left_out]).toEqual([1_100, 103])
    const all = await see.list({ show: 'all', limit: 100_000 })
    expect([all.operations.length, all.left_out]).toEqual([1_203, 0])
    const ids = all.operations.map(({ operation_id }) => operation_id)
    expect(cut.operations.map(({ operation_id }) => operation_id)).toEqual(ids.slice(0, 1_100))
  })

  it('reads the first 500 rows at once, and with them whether others follow', async () => {
    const ledger = await aLedger()
    await Promise.all(
      Array.from({ length: 600 }, (_, i) => ledger.lost({ operation_id: `op-${i}`, input: i })),
    )
    const scopes: string[] = []
    const { clock, store } = ledger
    const operations: typeof store.operations = query => {
      scopes.push(query.scope)
      return store.operations(query)
    }
    const see = looking({
      store: { ...store, operations },
      clock,
      isOwnerGone: () => false,
      config: NO_CONFIG,
    })
    const rows = see.listing().rows[Symbol.asyncIterator]()
    for (let n = 0; n < 501; n++) expect((await rows.next()).done).toBe(false)
    expect(scopes).toEqual(['attention', 'moving', 'repeated'])
  })
})

describe('a write that was made twice under two keys', () => {
  it('is found while open and after both are settled, where it is asked for', async () => {
    const { see, clock, ...ledger } = await aSeenLedger()
    const charge = { tool: 'create_charge', input: { cus: 'A', amount: 4200 }, timeout_ms: 30_000 }
    await ledger.confirmed({ ...charge, operation_id: 'op-5', idempotency_key: 'k1' })
    clock.advance(33_000)
    const theirs = { ...charge, operation_id: 'op-6', idempotency_key: 'k2' }
    await ledger.imported(theirs, { status: 'prepared', attempts: [], settled_at: null, settled_by: null })
    expect(await idsOf(see)).toEqual(['op-6'])
    await ledger.imported(theirs)
    const before = await see.list({ show: 'all' })
    const found = asPublished('list@1', await see.list({ show: 'stalled', rule: 'duplicate_writes' }))
    expect(found.operations).toMatchObject([
      {
        operation_id: 'op-6',
        status: 'confirmed',
        stalled_by: [{ operations: ['op-5', 'op-6'], gap_ms: 33_000, timeout_ms: 30_000, keys_differ: true }],
      },
    ])
    expect(await idsOf(see)).toEqual([])
    expect(await see.list({ show: 'all' })).toEqual(before)
    const { duplicates } = (await see.report('task-1')).document
    expect(duplicates).toMatchObject([{ operations: ['op-5', 'op-6'], gap_ms: 33_000 }])
  })
})
