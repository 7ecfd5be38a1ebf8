import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../src/store/engine.js'
import { contentOf } from '../../src/store/moving/copy.js'
import { type Moving, moveLedger, takeBack } from '../../src/store/moving/move.js'
import { endOf } from '../../src/store/moving/place.js'
import { TABLES } from '../../src/store/moving/tables.js'
import { openStore, openStoreForReading } from '../../src/store/open.js'
import { NOON, stampAt } from '../core/builders.js'
import { aLedger } from '../ledger/support/a-ledger.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { aDirectory } from './support/places.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const HOUR = 3_600_000
const LATER = NOON + 10 * HOUR

const asked = (from: string, to: string, over: Partial<Moving> = {}): Moving => ({
  from,
  to,
  waitMs: 5_000,
  clock: () => stampAt(LATER),
  program: 'a test',
  partitions: null,
  actor: 'ana',
  assumeStopped: false,
  dryRun: false,
  ...over,
})

const opened = (url: string) =>
  openStore({ url, waitMs: 5_000, clock: () => stampAt(LATER), program: 'a test' })

/** A file with operations of several kinds, closed. */
async function aFile() {
  const ledger = await aLedger()
  await ledger.lost()
  for (const n of [2, 3, 4])
    await ledger.confirmed({ operation_id: `ticket-${n}`, input: { n, text: 'ä \u{1f600}' } })
  await ledger.prepared({ operation_id: 'waits', input: { n: 9 } })
  await ledger.as('ana').resolve('ticket-1', { as: 'confirmed', evidence: ['seen'], reason: 'there' })
  await ledger.as('ana').note('ticket-1', 'was seen')
  await ledger.store.close()
  return { path: ledger.path, ledgerId: ledger.store.ledgerId }
}

/** Every table's rows as one digest, but what the move itself wrote. */
async function contents(url: string) {
  const engine = await (await endOf(url, 5_000, { program: 'a test', partitions: null })).open('reading')
  try {
    const found: Record<string, string> = {}
    for (const table of TABLES)
      if (table.name !== 'ledger_event') found[table.name] = (await contentOf(engine, table)).digest
    const events = await engine.read(() =>
      query(
        `select seq, subject, subject_id, n, hash from ledger_event where type not in ('arrived') order by seq`,
      ),
    )
    return { found, events: events.map(({ cells }) => JSON.stringify(cells)) }
  } finally {
    await engine.close()
  }
}

describe('moving a ledger', () => {
  it('takes every row to PostgreSQL and back with its numbers, ids and hashes, and it goes on being written there', async () => {
    const { path, ledgerId } = await aFile()
    const url = await server.createDatabase()
    const moved = await moveLedger(asked(path, url))
    expect(moved).toMatchObject({ ledger_id: ledgerId, done: true })
    const [before, there] = [await contents(path), await contents(url)]
    expect(there).toEqual(before)
    const store = await opened(url)
    expect(store.ledgerId).toBe(ledgerId)
    expect((await store.verify()).findings).toEqual([])
    // the move is no new incarnation: what waited can still be sent, since nothing else can send it
    await store.claim({ subject: { operation_id: 'waits' }, actor: 'bob', at: LATER, until: LATER + 1 })
    await store.record('remark', null, { a: 1 }, { actor: 'bob', clock: () => stampAt(LATER) })
    await store.close()

    const back = join(aDirectory(), 'back.db')
    await moveLedger(asked(url, back))
    const again = await opened(back)
    expect((await again.verify()).findings).toEqual([])
    await again.record('remark', null, { a: 2 }, { actor: 'bob', clock: () => stampAt(LATER) })
    expect((await again.verify()).findings).toEqual([])
    await again.close()
    expect((await contents(back)).found).toEqual((await contents(url)).found)
    await expect(opened(url)).rejects.toMatchObject({
      code: 'ledger_moved',
      message: expect.stringContaining(back),
    })
  })

  it('keeps the gaps in numbers that commits undone in PostgreSQL left, and the file verifies', async () => {
    const { path } = await aFile()
    const url = await server.createDatabase()
    await moveLedger(asked(path, url))
    const store = await opened(url)
    await withClient(url.replace(/[?&]schema=.*/, ''), client =>
      client.query(`select nextval('agent_ledger.ledger_event_seq_seq')`),
    )
    await store.record('remark', null, { a: 1 }, { actor: 'bob', clock: () => stampAt(LATER) })
    await store.close()
    const back = join(aDirectory(), 'back.db')
    await moveLedger(asked(url, back))
    const again = await opened(back)
    expect((await again.verify()).findings).toEqual([])
    await again.close()
  })

  it.each(['a file', 'PostgreSQL'])('goes on after a kill in the middle, to %s', async kind => {
    const { path } = await aFile()
    const to = kind === 'a file' ? join(aDirectory(), 'b.db') : await server.createDatabase()
    const stop = new AbortController()
    let stopped = 0
    const dying = moveLedger(
      asked(path, to, {
        signal: stop.signal,
        onProgress: ({ stage, rows }) => {
          if (stage === 'copying') stopped = rows
          if (stage === 'copying') stop.abort()
        },
      }),
    )
    await expect(dying).rejects.toMatchObject({ name: 'AbortError' })
    expect(stopped).toBeGreaterThan(0)
    // neither place is a ledger to anybody meanwhile
    await expect(opened(to)).rejects.toMatchObject({
      code: 'ledger_moved',
      message: expect.stringContaining('not whole'),
    })
    await expect(openStoreForReading({ url: path })).rejects.toMatchObject({ code: 'ledger_moved' })
    const first: number[] = []
    await moveLedger(
      asked(path, to, { onProgress: ({ stage, rows }) => stage === 'copying' && first.push(rows) }),
    )
    expect(first[0]).toBeGreaterThan(stopped)
    expect(await contents(to)).toEqual(await contents(path))
    // asked a third time, it says that it was done
    expect(await moveLedger(asked(path, to))).toMatchObject({ done: false, was_there: true })
  })

  it.each(['a file', 'PostgreSQL'])('fences %s against programs that have it open', async kind => {
    const { path } = await aFile()
    let from = path
    if (kind === 'PostgreSQL') {
      from = await server.createDatabase()
      await moveLedger(asked(path, from))
    }
    const store = await opened(from)
    await moveLedger(asked(from, join(aDirectory(), 'new.db')))
    const late = store.record('remark', null, { a: 1 }, { actor: 'agent', clock: () => stampAt(LATER) })
    await expect(late).rejects.toMatchObject({ code: 'ledger_unwritable', facts: { commit: 'none' } })
    const signal = store.claim({
      subject: { operation_id: 'waits' },
      actor: 'bob',
      at: LATER,
      until: LATER + 1,
    })
    await expect(signal).rejects.toMatchObject({ code: 'ledger_unwritable' })
    await store.close()
  })

  it('refuses a place that holds another ledger, and one that it was moved away from', async () => {
    const [one, other] = [await aFile(), await aFile()]
    await expect(moveLedger(asked(one.path, other.path))).rejects.toMatchObject({
      code: 'refused',
      rule: 'target_is_free',
    })
    const to = join(aDirectory(), 'c.db')
    await moveLedger(asked(one.path, to))
    await expect(moveLedger(asked(to, one.path))).rejects.toMatchObject({ rule: 'target_is_free' })
  })

  it('waits for no agent that holds a lease, unless it is told that they are stopped', async () => {
    const ledger = await aLedger()
    await ledger.inFlight({ operation_id: 'busy-1' })
    await ledger.store.close()
    const to = join(aDirectory(), 'd.db')
    const soon = { clock: () => stampAt(NOON + 1_000) }
    await expect(moveLedger(asked(ledger.path, to, soon))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('busy-1'),
    })
    expect(existsSync(to)).toBe(false)
    await moveLedger(asked(ledger.path, to, { ...soon, assumeStopped: true }))
    const store = await opened(to)
    expect((await store.operation('busy-1'))?.operation.status).toBe('in_flight')
    await store.close()
  })

  it('writes nothing in a dry run', async () => {
    const { path } = await aFile()
    const to = join(aDirectory(), 'e.db')
    expect(await moveLedger(asked(path, to, { dryRun: true }))).toMatchObject({
      done: false,
      was_there: false,
    })
    expect(existsSync(to)).toBe(false)
    await (await opened(path)).close()
  })

  it('does not move a ledger that does not verify', async () => {
    const { path } = await aFile()
    const database = new Database(path)
    database.exec(`update ledger_operation set result = '{"other":1}' where operation_id = 'ticket-2'`)
    database.close()
    const to = join(aDirectory(), 'f.db')
    await expect(moveLedger(asked(path, to))).rejects.toMatchObject({ code: 'ledger_damaged' })
    expect(existsSync(to)).toBe(false)
  })

  it('finds a row of the copy that was changed meanwhile', async () => {
    const { path } = await aFile()
    const to = join(aDirectory(), 'g.db')
    const stop = new AbortController()
    const onProgress: Moving['onProgress'] = ({ stage }) => {
      if (stage === 'comparing') stop.abort()
    }
    await expect(moveLedger(asked(path, to, { signal: stop.signal, onProgress }))).rejects.toThrow()
    const database = new Database(to)
    database.exec(`update ledger_task set goal = 'another' where seq = 1`)
    database.close()
    await expect(moveLedger(asked(path, to))).rejects.toMatchObject({
      message: expect.stringContaining('ledger_task'),
    })
  })

  it.each(['a file', 'PostgreSQL'])(
    'is taken back while it is not whole, and then not gone on with, from %s',
    async kind => {
      const { path } = await aFile()
      let from = path
      if (kind === 'PostgreSQL') {
        from = await server.createDatabase()
        await moveLedger(asked(path, from))
      }
      const to = join(aDirectory(), 'h.db')
      const signal = AbortSignal.abort()
      await expect(moveLedger(asked(from, to, { signal }))).rejects.toThrow()
      await takeBack(asked(from, to))
      const store = await opened(from)
      await store.record('remark', null, { a: 1 }, { actor: 'bob', clock: () => stampAt(LATER) })
      expect((await store.verify()).findings).toEqual([])
      await store.close()
      await expect(moveLedger(asked(from, to))).rejects.toMatchObject({ rule: 'target_is_free' })
      await moveLedger(asked(from, join(aDirectory(), 'i.db')))
      await expect(takeBack(asked(from, to))).rejects.toMatchObject({ rule: 'move_under_way' })
    },
  )
})
