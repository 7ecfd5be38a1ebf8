import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlProbe } from '../../src/core/probe.js'
import { askProbe } from '../../src/probes/index.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { aWorld, someFacts } from './support/asking.js'

describe('an sql probe on PostgreSQL', () => {
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    await withClient(url, client =>
      client.query(`
        create table ticket (id bigint primary key, key text, title text, made timestamptz default now());
        insert into ticket values (9007199254740993, 'al-key-1', 'Disk full'), (2, 'other', 'Disk full');
        create table many as select n as id, 'al-key-1' as key from generate_series(1, 5000) as n;
        create function quietly() returns text language sql volatile
          as $$ insert into ticket values (3, 'al-key-1', 'made by a look') returning key $$;
      `),
    )
  })
  afterAll(() => server.remove())

  const probe: SqlProbe = {
    kind: 'sql',
    database: '{env.TICKETS_DB}',
    query: 'select id, key, title, made from ticket where key = $1;',
    params: ['{idempotency_key}'],
    parent: "select 1 where to_regclass('ticket') is not null",
    match: { key: { path: 'key' } },
    id: { kind: 'ticket', value: 'id' },
    result: '{ticket: title}',
  }
  const ask = (over: Partial<SqlProbe> = {}, place = url, signal?: AbortSignal) =>
    askProbe(
      { ...probe, ...over },
      {
        facts: someFacts(),
        world: aWorld({ env: { TICKETS_DB: place }, ...(signal === undefined ? {} : { signal }) }),
        settleMs: undefined,
      },
    )
  const tickets = () =>
    withClient(url, async client => (await client.query('select count(*)::int as n from ticket')).rows)

  it('finds a row by its key, with every digit of its id, and keeps the address nowhere', async () => {
    const seen = await ask()
    expect(seen).toMatchObject({
      completeness: 'complete',
      parent: 'readable',
      matches: [{ external_id: { kind: 'ticket', value: '9007199254740993' }, matched_by: 'key' }],
      result: { ticket: 'Disk full' },
    })
    expect(JSON.stringify(seen)).not.toContain(url)
    expect(await ask({ params: ['nothing'] })).toMatchObject({ completeness: 'complete', matches: [] })
  })

  it('takes what a record says as a value, never as SQL', async () => {
    const seen = await ask({ params: ["x' or '1'='1"] })
    expect(seen).toMatchObject({ completeness: 'complete', matches: [] })
  })

  it.each([
    ['writes', 'delete from ticket returning id, key'],
    ['writes in a part of it', 'with gone as (delete from ticket returning id, key) select * from gone'],
    ['calls what writes', 'select 3 as id, quietly() as key'],
    ['is two statements', 'select 1; commit; delete from ticket'],
    ['is broken', 'selec 1'],
    ['names no table', 'select * from nothing'],
  ])('whose query %s failed, and changed nothing', async (_, query) => {
    expect(await ask({ query, params: [] })).toMatchObject({ completeness: 'failed' })
    expect(await tickets()).toEqual([{ n: 2 }])
  })

  it('that takes too long has failed, and the server is not left at work', async () => {
    const seen = await ask({ query: "select pg_sleep(600), '' as key", params: [], timeout_ms: 300 })
    expect(seen).toMatchObject({ completeness: 'failed' })
    await expect.poll(() => atWork(), { timeout: 10_000 }).toEqual([])
  })

  it('that is broken off ends, and the server is not left at work', async () => {
    const stop = new AbortController()
    const asked = ask({ query: "select pg_sleep(600), '' as key", params: [] }, url, stop.signal)
    await expect.poll(() => atWork(), { timeout: 10_000 }).toHaveLength(1)
    stop.abort()
    expect(await asked).toMatchObject({ completeness: 'failed' })
    await expect.poll(() => atWork(), { timeout: 10_000 }).toEqual([])
  })

  it('reads no more rows than name something, and says that there are more', async () => {
    const seen = await ask({ query: 'select id, key from many where key = $1' })
    expect(seen).toMatchObject({ completeness: 'partial', why: 'more than 1000 rows' })
  })

  it('failed where no server answers or none lets it in, and lets the password out nowhere', async () => {
    const nobody = url.replace('/ledger@', '/ledger@').replace(/host=[^&]*/, 'host=/nowhere')
    for (const place of [nobody, 'postgres://ledger:s3cr3t-word@127.0.0.1:1/tickets']) {
      const seen = await ask({ timeout_ms: 5_000 }, place)
      expect(seen).toMatchObject({ completeness: 'failed', code: 'unreachable' })
      expect(JSON.stringify(seen)).not.toContain('s3cr3t-word')
    }
  })

  const atWork = () =>
    withClient(url, async client => {
      const query =
        "select pid from pg_stat_activity where application_name = 'agent-ledger probe' and state = 'active'"
      return (await client.query(query)).rows
    })
})
