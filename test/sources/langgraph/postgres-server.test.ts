import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectSource, readCheckpoint, readCheckpointFully } from '../../../src/sources/index.js'
import { type PostgresServer, startPostgres, withClient } from '../../postgres/server.js'
import { addressOf, fillPostgres, type PostgresRows } from './postgres-rows.js'
import { FIXTURES } from './real-case.js'

const SECRET = 'pa ss/w@rd'
const rows: PostgresRows = JSON.parse(
  readFileSync(join(FIXTURES, 'js-pg-subgraph-kill', 'rows.json'), 'utf8'),
)
let server: PostgresServer
let url: string
beforeAll(async () => {
  server = await startPostgres({ password: SECRET })
  url = await server.createDatabase()
  await fillPostgres(url, 'graphs', rows)
})
afterAll(() => server.remove())

const sql = (...statements: readonly string[]) =>
  withClient(url, async client => {
    for (const statement of statements) await client.query(statement)
  })

/** What went wrong, as a person and a script are told. */
async function refusal(address: string): Promise<{ code: string; message: string; all: string }> {
  try {
    await readCheckpoint(address)
  } catch (error) {
    const { code, message, path, hint } = Object(error)
    return { code, message, all: JSON.stringify([message, path, hint, String(Object(error).cause)]) }
  }
  throw new Error(`${address} was read`)
}

describe('a PostgresSaver at an address', () => {
  it('is known by the address, and no file has to be there', () => {
    expect(detectSource(url).find(({ source }) => source === 'langgraph')).toMatchObject({ matches: true })
    expect(detectSource('https://example.com/x').some(({ matches }) => matches)).toBe(false)
  })

  it('is read where its schema is named, found on the search path, or has another table name', async () => {
    const named = await readCheckpoint(addressOf(url, 'graphs'))
    expect(named).toMatchObject({ saver: 'postgresql', language: 'javascript' })
    expect(named.threads.map(({ thread_id }) => thread_id)).toEqual(['t1'])
    await withClient(url, async client => {
      const { rows: names } = await client.query('select current_database() as name')
      await client.query(`alter database ${names[0].name} set search_path = 'graphs'`)
    })
    expect((await readCheckpoint(url)).threads).toEqual(named.threads)
    await sql(
      'create schema other',
      ...['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'].map(
        name => `create table other."my ""${name}" as select * from graphs.${name}`,
      ),
    )
    const address = `${addressOf(url, 'other')}&table=${encodeURIComponent('my "checkpoints')}`
    expect((await readCheckpoint(address)).threads[0]?.will_run).toEqual(named.threads[0]?.will_run)
  })

  it('is read one thread without the others, and nothing is changed', async () => {
    await sql(
      `insert into graphs.checkpoints (thread_id, checkpoint_id, checkpoint) values ('other', 'x', '7')`,
    )
    await sql('analyze graphs.checkpoints')
    const { document, taskIds } = await readCheckpointFully(addressOf(url, 'graphs'), { threadId: 't1' })
    expect(document.threads).toHaveLength(1)
    expect(taskIds.get('t1')?.size).toBeGreaterThan(3)
    const { threads } = await readCheckpoint(addressOf(url, 'graphs'))
    expect(threads.map(({ thread_id }) => thread_id)).toEqual(['other', 't1'])
    expect(threads[0]?.warnings[0]?.code).toBe('checkpoint_unreadable')
    await expect(readCheckpoint(addressOf(url, 'graphs'), { threadId: 't2' })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('(did you mean t1?)'),
    })
    await withClient(url, async client => {
      const { rows: counts } = await client.query(
        `select sum(n_tup_upd + n_tup_del)::int as n from pg_stat_user_tables where schemaname = 'graphs'`,
      )
      expect(counts[0].n).toBe(0)
    })
  })

  it('says when others are connected', async () => {
    const codes = await withClient(url, async () => {
      const { threads } = await readCheckpoint(addressOf(url, 'graphs'), { threadId: 't1' })
      return threads[0]?.warnings.map(({ code }) => code)
    })
    expect(codes).toContain('database_in_use')
  })
})

describe('an address that cannot be read', () => {
  it.each([
    ['a wrong password', () => url.replace(/:[^@/]*@/, ':guess@'), 'refuses the user or the password'],
    ['no such database', () => url.replace(/test_\w+\?/, 'nowhere?'), 'has no such database'],
    [
      'no such socket',
      () => url.replace(/host=[^&]*/, 'host=%2Fnowhere'),
      'cannot be reached: there is no such socket',
    ],
    [
      'no server',
      () => url.replace('@/', '@127.0.0.1:1/').replace(/\?host=.*/, ''),
      'cannot be reached: nothing listens there',
    ],
    ['no address', () => 'postgresql://user:pa ss@:x:y/', 'is not an address of PostgreSQL'],
    ['an empty schema', () => `${url}&schema=`, 'has a schema= that names nothing'],
    ['two schemas', () => `${url}&schema=a&schema=b`, 'names schema 2 times'],
    [
      'a schema without tables',
      () => addressOf(url, 'public'),
      'has no table checkpoints in the schema public',
    ],
    [
      'another table',
      () => `${addressOf(url, 'graphs')}&table=runs`,
      'has no table runs in the schema graphs',
    ],
  ])('is refused by name and without its password: %s', async (_, address, said) => {
    const { code, message, all } = await refusal(address())
    expect(code).toBe('ledger_unreadable')
    expect(message).toContain(said)
    for (const secret of [SECRET, encodeURIComponent(SECRET), 'guess', 'pa ss'])
      expect(all).not.toContain(secret)
  })

  it('names the schema in which the tables are', async () => {
    await expect(readCheckpoint(addressOf(url, 'public'))).rejects.toMatchObject({
      hint: expect.stringContaining('There is one in graphs'),
    })
  })

  it('is refused where a view stands for a table, or the tables are another program’s', async () => {
    await sql(
      'create schema views',
      'create view views.checkpoints as select * from graphs.checkpoints',
      'create view views.checkpoint_blobs as select * from graphs.checkpoint_blobs',
      'create view views.checkpoint_writes as select * from graphs.checkpoint_writes',
      'create schema strange',
      ...['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'].map(
        name => `create table strange.${name} (thread_id text)`,
      ),
    )
    expect((await refusal(addressOf(url, 'views'))).message).toContain('as a view, not as a table')
    expect((await refusal(addressOf(url, 'strange'))).message).toContain('without checkpoint_ns')
  })

  it('is refused where a policy would hide rows, or the user may not read them', async () => {
    await sql(
      "create role reader login password 'x'",
      'grant usage on schema graphs to reader',
      'grant select on graphs.checkpoints, graphs.checkpoint_writes to reader',
    )
    const asReader = addressOf(url.replace(/\/\/[^@]*@/, '//reader:x@'), 'graphs')
    expect((await refusal(asReader)).message).toContain('does not let this user read')
    await sql(
      'grant select on graphs.checkpoint_blobs to reader',
      'alter table graphs.checkpoints enable row level security',
      'create policy own_rows on graphs.checkpoints using (thread_id = current_user)',
    )
    expect((await refusal(asReader)).message).toContain('or not all of their rows')
    await sql('alter table graphs.checkpoints disable row level security')
    expect((await readCheckpoint(asReader, { threadId: 't1' })).threads).toHaveLength(1)
  })

  it('is refused where something else answers', async () => {
    const other = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>(done => other.listen(0, '127.0.0.1', done))
    const { port } = Object(other.address())
    try {
      const { code } = await refusal(`postgresql://a:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/x`)
      expect(code).toBe('ledger_unreadable')
    } finally {
      other.close()
    }
  })
})

describe('a server that follows another', () => {
  it('is said to be one, because the newest rows may be missing', async () => {
    await server.stop()
    const signal = join(server.socketFolder, '../data/standby.signal')
    writeFileSync(signal, '')
    chmodSync(signal, 0o644)
    await server.start()
    const { threads } = await readCheckpoint(addressOf(url, 'graphs'), { threadId: 't1' })
    expect(threads[0]?.warnings.map(({ code }) => code)).toContain('read_from_standby')
  })
})
