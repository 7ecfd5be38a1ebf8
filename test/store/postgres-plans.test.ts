import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/store/columns.js'
import type { Engine, Sql } from '../../src/store/engine.js'
import { createStore, openStore } from '../../src/store/open.js'
import { placeOf } from '../../src/store/postgres/place.js'
import { postgresEngine } from '../../src/store/postgres/postgres.js'
import { sqlStore } from '../../src/store/sql-store/index.js'
import type { Store } from '../../src/store/store.js'
import { NOON, stampAt } from '../core/builders.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { CONFIRM, did, LOSE, later, PREPARE, SEND } from './support/changes.js'
import { FILTERS, HISTORY_FILTERS, LIST, READINGS, SCOPES, SORTS } from './support/readings.js'

/** Settled operations, with three events each: enough that the planner would not rather read all of them. */
const HISTORY = 20_000
const OF_HISTORY =
  /Seq Scan on (ledger_(?:operation|event|evidence|attempt|external_ref|key|decision|task)(?:_p\d+)?)\b/

let server: PostgresServer
let plans: string[] = []
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

/** A ledger with history, read through an engine that asks for the plan of each query. */
async function withHistory(partitions: number | null): Promise<{ store: Store; close: () => Promise<void> }> {
  const url = await server.createDatabase()
  const options = { url, clock: () => stampAt(NOON), program: 'a test' }
  await createStore({ ...options, ...(partitions === null ? {} : { partitions }) })
  const writer = await openStore(options)
  await did(writer, 'op-1', [PREPARE('op-1'), SEND()])
  await did(writer, 'op-1', [CONFIRM()], later(1))
  for (let n = 2; n < 12; n++) {
    await did(writer, `op-${n}`, [PREPARE(`op-${n}`, { task_id: `task-${n}` }), SEND()], later(2))
    await did(writer, `op-${n}`, [LOSE()], later(3))
  }
  await writer.close()
  await withClient(url, client => client.query(historyOf('op-1')))
  if (partitions !== null)
    await withClient(url, client =>
      client.query(`set search_path = agent_ledger;
        insert into ledger_key select key_scope, idempotency_key, operation_id from ledger_operation
        on conflict do nothing; analyze`),
    )
  const engine = postgresEngine({ place: placeOf(url), waitMs: 5_000, for: 'reading' })
  const explained: Engine = { ...engine, read: work => engine.read(() => explaining(work())) }
  const store = sqlStore({ engine: explained, ledger: { ledger_id: 'x', incarnation: 1 }, location: url })
  return { store, close: () => engine.close() }
}

describe.each([
  ['in one table each', null],
  ['split into four', 4],
] as const)('the plan of PostgreSQL, %s,', (_, partitions) => {
  let ledger: Awaited<ReturnType<typeof withHistory>>
  beforeAll(async () => {
    ledger = await withHistory(partitions)
  }, 240_000)
  afterAll(() => ledger.close())
  const walksOf = async (reading: (of: Store) => Promise<unknown>): Promise<string[]> => {
    plans = []
    await reading(ledger.store)
    return plans.filter(line => OF_HISTORY.test(line))
  }

  it.each(READINGS)('of %s reads no history in sequence', async (_name, reading) => {
    expect(await walksOf(reading)).toEqual([])
  })

  it.each(SCOPES)('of every list of scope %s reads no history in sequence', async scope => {
    for (const sort of SORTS)
      for (const filter of FILTERS) {
        const walks = await walksOf(of => of.operations({ ...LIST, scope, sort, ...filter }))
        expect(walks, JSON.stringify({ sort, ...filter })).toEqual([])
      }
  })

  it('of a list of all that is led by an index reads no history in sequence', async () => {
    for (const sort of SORTS)
      for (const filter of HISTORY_FILTERS) {
        const walks = await walksOf(of =>
          of.operations({ ...LIST, scope: 'all', sort, ...filter, limit: 20 }),
        )
        expect(walks, JSON.stringify({ sort, ...filter })).toEqual([])
      }
  })

  // All 20,000 tasks with their counts: once is enough to see that the test can fail.
  if (partitions === null)
    it('of what is read in sequence is seen by this test', async () => {
      const all = await walksOf(of => of.tasks({ scope: 'all', now: LIST.now, goneOwners: [], limit: null }))
      expect(all.join('\n')).toMatch(OF_HISTORY)
    })
})

describe.each([
  ['in one table each', null],
  ['split into four', 4],
] as const)('a commit in PostgreSQL, %s, where all of history is the same write,', (_, partitions) => {
  it('reads a few rows, also by the plans that the server keeps', async () => {
    const url = await server.createDatabase()
    const options = { url, clock: () => stampAt(NOON), program: 'a test' }
    await createStore({ ...options, ...(partitions === null ? {} : { partitions }) })
    const first = await openStore(options)
    await did(first, 'op-1', [PREPARE('op-1', CONDITIONAL), SEND()])
    await did(first, 'op-1', [CONFIRM()], later(1))
    await first.close()
    await withClient(url, client => client.query(historyOf('op-1', ['operation_id', 'idempotency_key'])))
    const before = await rowsRead(url)
    const store = await openStore(options)
    // A server keeps one plan for all values from the sixth time on.
    for (let n = 0; n < COMMITS; n++) {
      const id = `new-${n}`
      const intent = { ...CONDITIONAL, task_id: 'task-2', input: { n } }
      await did(store, id, [PREPARE(id, intent), SEND()], later(n + 2))
      await did(store, id, [LOSE()], later(n + 2))
    }
    await store.close()
    expect((await rowsRead(url)) - before).toBeLessThan(COMMITS * 100)
  }, 240_000)
})

const COMMITS = 12
const CONDITIONAL = {
  target: 'one of all',
  repeat: { kind: 'conditional', names: 'reusable' },
} as const

/** Rows that were fetched of the operations so far, once nobody is connected any more: a session counts at its end. */
async function rowsRead(url: string): Promise<number> {
  return withClient(url, async client => {
    const alone = `select 1 from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await client.query(alone)).rows.length, { timeout: 10_000 }).toBe(0)
    const { rows } = await client.query(`
      select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n
      from pg_stat_user_tables where relname ~ '^ledger_operation(_p[0-9]+)?$'`)
    return Number(rows[0]?.n)
  })
}

/** Asks the server before each query how it would answer it. */
function* explaining<T>(sql: Sql<T>): Sql<T> {
  let step = sql.next()
  while (!step.done) {
    const asked = step.value
    for (const one of 'text' in asked
      ? [asked]
      : 'locks' in asked || 'later' in asked || 'turn' in asked
        ? []
        : asked) {
      const rows = yield { text: `explain ${one.text}`, params: one.params }
      plans.push(...rows.map(({ cells }) => String(cells[0])))
    }
    step = sql.next(yield asked)
  }
  return step.value
}

const OWN: Readonly<Record<string, string>> = {
  operation_id: "'past-' || n",
  idempotency_key: "'key-' || n",
  task_id: "'past-' || n",
  target: "'target-' || n",
  input_digest: 'sha256(n::text::bytea)',
}

/** Copies of one operation and all that belongs to it, past the triggers. */
function historyOf(
  id: string,
  own: readonly string[] = ['operation_id', 'idempotency_key', 'task_id', 'target', 'input_digest'],
): string {
  const values = own.map(name => OWN[name]).join(', ')
  const rest = OPERATIONS.columns.map(({ quoted }) => quoted).filter(name => !own.includes(name))
  const copies = `generate_series(1, ${HISTORY}) as n`
  return `
set search_path = agent_ledger;
set session_replication_role = replica;
insert into ledger_task (task_id, status, links, labels, epoch, version, created_at, updated_at, closed_at)
select 'past-' || n, 'completed', '[]', '{}', 1, 1, ${NOON - 1000} - n, ${NOON - 1000} - n, 1
from generate_series(1, ${HISTORY}) as n;
insert into ledger_operation (${[...own, ...rest].join(', ')}, evidence_head, incarnation)
select ${values},
  ${rest.join(', ')}, evidence_head, incarnation
from ledger_operation, ${copies} where operation_id = '${id}';
insert into ledger_event (subject, subject_id, n, about, type, at, boot_id, boot_ms, actor, body, hash)
select subject, 'past-' || c, e.n, about, type, ${NOON - 10_000_000} + c, boot_id, boot_ms, actor, body, hash
from ledger_event as e, generate_series(1, ${HISTORY}) as c where subject_id = '${id}';
insert into ledger_attempt
select 'past-' || c, a.n, fence, owner, sent_at, sent_boot_id, sent_boot_ms, send_by, latest_arrival, ended_at, "end", error
from ledger_attempt as a, generate_series(1, ${HISTORY}) as c where operation_id = '${id}';
insert into ledger_evidence
select 'past-' || c, e.n, kind, origin, attempt, at, actor, body, hash
from ledger_evidence as e, generate_series(1, ${HISTORY}) as c where operation_id = '${id}';
insert into ledger_external_ref
select 'past-' || c, kind, 'past-' || c, scope, url, at
from ledger_external_ref, generate_series(1, ${HISTORY}) as c where operation_id = '${id}';
set session_replication_role = origin;
insert into ledger_event (subject, subject_id, n, type, at, boot_id, boot_ms, actor, body, hash)
select 'ledger', (select ledger_id from ledger_meta), n, 'remark', ${NOON}, '', 0, 'a test', '{}', sha256('x')
from generate_series(2, 3) as n;
analyze`
}
