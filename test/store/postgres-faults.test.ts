import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { query } from '../../src/store/engine.js'
import { createStore, openStore, openStoreForReading } from '../../src/store/open.js'
import { placeOf } from '../../src/store/postgres/place.js'
import { postgresEngine } from '../../src/store/postgres/postgres.js'
import { startProxy } from '../postgres/proxy.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { did, PREPARE, SEND, tried } from './support/changes.js'
import { aLedgerAt, asked, opened, refusalOf } from './support/ledger-on-server.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ password: 'a secret' })
})
afterAll(() => server.remove())

const aLedger = async (url?: string) => aLedgerAt(url ?? (await server.createDatabase()))

describe('a ledger in PostgreSQL that cannot be used', () => {
  it.each([
    ['a wrong password', (url: string) => url.replace('a%20secret', 'guess'), /does not let ledger in/],
    [
      'a database that is not there',
      (url: string) => url.replace('/postgres?', '/nowhere?'),
      /no database nowhere/,
    ],
    ['a schema that is not there', (url: string) => `${url}&schema=nobody`, /no schema nobody/],
    ['a schema without a ledger', (url: string) => `${url}&schema=public`, /schema public holds no ledger/],
    ['a server that does not run', () => 'postgresql://ana@127.0.0.1:1/x', /cannot be reached/],
    ['a host that is none', () => 'postgresql://ana:pw@host.invalid/x', /no host host\.invalid/],
  ])('says so for %s, ends with 3 and shows no password', async (_, over, message) => {
    const url = over(server.url())
    for (const open of [openStore, openStoreForReading]) {
      const error = await refusalOf(open(asked(url, 300)))
      expect(error.message).toMatch(message)
      expect(error.exitCode).toBe(3)
      expect(JSON.stringify(error) + String(error)).not.toMatch(/secret|guess|pw@/)
    }
  })

  it('says that what answers is no server of PostgreSQL', async () => {
    const other = createServer(socket =>
      socket.on('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
    )
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = Object(other.address())
    for (const sslmode of ['prefer', 'disable']) {
      const error = await refusalOf(
        openStore(asked(`postgresql://ana:pw@127.0.0.1:${port}/x?sslmode=${sslmode}`, 300)),
      )
      expect(error.message).toMatch(sslmode === 'prefer' ? /is no PostgreSQL server/ : /cannot be reached/)
      expect(error.exitCode).toBe(3)
    }
  })

  it('leaves no connection behind where the server takes its first statement from nobody', async () => {
    const url = await server.createDatabase()
    await withClient(url, client =>
      client.query(`create role barred login password 'a secret';
        revoke execute on function set_config(text, text, boolean) from public`),
    )
    const barred = `${url.replace('ledger:', 'barred:')}&application_name=barred`
    expect(await refusalOf(openStore(asked(barred, 300)))).toMatchObject({ exitCode: 3 })
    const left = () =>
      withClient(url, async client => {
        const { rows } = await client.query(
          "select 1 from pg_stat_activity where application_name = 'barred'",
        )
        return rows.length
      })
    await expect.poll(left, { timeout: 5_000 }).toBe(0)
  })

  it.each([
    ['several hosts', 'postgresql://a@one,two/x', /several hosts/],
    ['a setting that nobody knows', 'postgresql://a@b/x?colour=red', /"colour"/],
    [
      'an authority that nothing would be held against',
      'postgresql://a@b/x?sslmode=require&sslrootcert=/ca.pem',
      /sslrootcert= is not looked at/,
    ],
    ['a way of TLS that is none', 'postgresql://a@b/x?sslmode=maybe', /sslmode "maybe"/],
    ['a schema of the server', 'postgresql://a@b/x?schema=pg_catalog', /can be no schema/],
    ['a password that ends before its end', 'postgresql://a:12/b@c/x', /an @ where a URL has none/],
    ['a number that is none', 'postgresql://a@b/x?connections=many', /connections=many/],
  ])('refuses a URL with %s', async (_, url, message) => {
    await expect(openStore(asked(url))).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(message),
    })
  })

  it.each([
    ['another table of that name', 'create table ledger_meta (a int)', 'not_a_ledger'],
    [
      'a trigger of another',
      `create function f() returns trigger language plpgsql as 'begin return null; end';
      create trigger mine before insert on ledger_note for each row execute function f()`,
      'ledger_damaged',
    ],
    [
      'a trigger that is off',
      'alter table ledger_event disable trigger ledger_event_change',
      'ledger_damaged',
    ],
    ['a rule', 'create rule r as on delete to ledger_claim do instead nothing', 'ledger_damaged'],
    ['rows that a policy hides', 'alter table ledger_operation enable row level security', 'ledger_damaged'],
    ['an index that is gone', 'drop index operation_unknown', 'ledger_damaged'],
    ['a column that is gone', 'alter table ledger_claim drop column until', 'ledger_damaged'],
    [
      'a guard that lets everything pass',
      `create or replace function ledger_only_grows() returns trigger
      language plpgsql as 'begin return new; end'`,
      'ledger_damaged',
    ],
    ['a view of that name', 'create view ledger_extra as select 1 as one', 'ledger_damaged'],
    ['a newer schema', 'insert into ledger_schema values (99, 1)', 'ledger_newer'],
  ])('refuses %s, for reading too', async (what, sql, code) => {
    const url = await server.createDatabase()
    const isOther = what.startsWith('another table')
    if (isOther) await withClient(url, client => client.query('create schema agent_ledger'))
    else await createStore(asked(url))
    await withClient(url, client => client.query(`set search_path = agent_ledger; ${sql}`))
    for (const open of [openStore, openStoreForReading])
      expect(await refusalOf(open(asked(url)))).toMatchObject({ code, exitCode: 3 })
  })

  it('may lie beside an application’s own tables, indexes and grants', async () => {
    const { url, store } = await aLedger()
    await store.close()
    await withClient(url, client =>
      client.query(`set search_path = agent_ledger;
        create table orders (id int); create view open_orders as select id from orders;
        create index mine on ledger_operation (tool)`),
    )
    await did(await opened(url), 'op', [PREPARE('op')])
  })
})

describe('a server that only reads', () => {
  it('is read, and writing there is a clear error', async () => {
    const { url, store } = await aLedger()
    await did(store, 'op', [PREPARE('op')])
    const database = new URL(url.replace('@/', '@x/')).pathname.slice(1)
    await withClient(server.url(), client =>
      client.query(`alter database ${database} set default_transaction_read_only = on`),
    )
    const reader = await openStoreForReading(asked(url))
    onTestFinished(() => reader.close())
    expect((await reader.operation('op'))?.operation.status).toBe('prepared')
    expect((await reader.verify()).findings).toEqual([])
    expect(await refusalOf(openStore(asked(url)))).toMatchObject({
      code: 'ledger_unwritable',
      message: expect.stringMatching(/read-only/),
    })
  })
})

describe('a connection that is cut', () => {
  it('before the server saw the COMMIT leaves nothing, and says that it may be there', async () => {
    const proxy = await startProxy({ socketFolder: server.socketFolder, url: await server.createDatabase() })
    onTestFinished(() => proxy.close())
    const { store } = await aLedger(proxy.url)
    proxy.cutAtCommit('before')
    const error = await refusalOf(tried(store, 'op', [PREPARE('op')]))
    expect(error).toMatchObject({ code: 'ledger_unwritable', facts: { commit: 'unknown' } })
    expect(await store.operation('op')).toBeNull()
  })

  it('before the answer to the COMMIT says that it may be there, and there it is', async () => {
    const proxy = await startProxy({ socketFolder: server.socketFolder, url: await server.createDatabase() })
    onTestFinished(() => proxy.close())
    const { store } = await aLedger(proxy.url)
    proxy.cutAtCommit('after')
    const error = await refusalOf(tried(store, 'op', [PREPARE('op')]))
    expect(error).toMatchObject({ code: 'ledger_unwritable', facts: { commit: 'unknown' } })
    expect((await store.operation('op'))?.operation.version).toBe(1)
  })

  it('by a server that starts again is made anew, and the work is done', async () => {
    const own = await startPostgres()
    try {
      const url = await own.createDatabase()
      await createStore(asked(url))
      const store = await openStore(asked(url, 20_000))
      await did(store, 'before', [PREPARE('before')])
      await own.kill()
      const meanwhile = tried(store, 'after', [PREPARE('after')])
      await own.start()
      expect((await meanwhile).refusal).toBeNull()
      expect((await store.operation('before'))?.operation.version).toBe(1)
      expect((await store.verify()).findings).toEqual([])
      await store.close()
    } finally {
      await own.remove()
    }
  })

  it('is told within --wait while the server stays away', async () => {
    const own = await startPostgres()
    const url = await own.createDatabase()
    await createStore(asked(url))
    const store = await openStore(asked(url, 300))
    await own.remove()
    expect(await refusalOf(tried(store, 'op', [PREPARE('op')]))).toMatchObject({
      code: 'ledger_unwritable',
      facts: { commit: 'none' },
    })
    await store.close()
  })
})

describe('a pooler that shares the server’s processes out', () => {
  it('is seen, and nothing is kept from one transaction to the next', async () => {
    const proxy = await startProxy(
      { socketFolder: server.socketFolder, url: await server.createDatabase() },
      { isPooler: true },
    )
    onTestFinished(() => proxy.close())
    const { store, url } = await aLedger(proxy.url)
    await did(store, 'op', [PREPARE('op'), SEND()])
    const engine = postgresEngine({ place: placeOf(url), waitMs: 1_000, for: 'writing' })
    onTestFinished(() => engine.close())
    expect(await engine.isPooled()).toBe(true)
    const kept = await engine.write(function* () {
      const [row] = yield* query('select count(*) as n from pg_prepared_statements')
      const [set] = yield* query("select current_setting('row_security') as value")
      return [row?.cells[0], set?.cells[0]]
    })
    expect(kept).toEqual([0, 'off'])
  })
})
