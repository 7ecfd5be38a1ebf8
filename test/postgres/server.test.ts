import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBinaries, installedBinaries } from './binaries.js'
import { type PostgresServer, startPostgres, withClient } from './server.js'

describe('a PostgreSQL server of a test', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.remove())

  it('gives each caller a database of its own', async () => {
    const [one, two] = [await server.createDatabase(), await server.createDatabase()]
    await withClient(one, client => client.query('create table only_here (a int)'))
    const tables = await withClient(two, client => client.query("select to_regclass('only_here') as name"))
    expect(tables.rows).toEqual([{ name: null }])
  })

  it('writes to the disk as a server in earnest does', async () => {
    const { rows } = await withClient(server.url(), client => client.query('show fsync'))
    expect(rows).toEqual([{ fsync: 'on' }])
  })

  it('starts again after SIGKILL with all that was committed', async () => {
    const url = await server.createDatabase()
    await withClient(url, client => client.query('create table t as select 7 as a'))
    await withClient(url, async client => {
      const running = client.query('select pg_sleep(600)').catch((error: Error) => error)
      await server.kill()
      expect(await running).toBeInstanceOf(Error)
    })
    await expect(withClient(url, client => client.query('select 1'))).rejects.toThrow()
    await server.start()
    const { rows } = await withClient(url, client => client.query('select a from t'))
    expect(rows).toEqual([{ a: 7 }])
  })
})

describe('a server with a password', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ password: 'pa ss/word', settings: { max_connections: '7' } })
  })
  afterAll(() => server.remove())

  it('lets nobody in without it', async () => {
    await withClient(server.url(), async client => {
      const { rows } = await client.query('show max_connections')
      expect(rows).toEqual([{ max_connections: '7' }])
    })
    const wrong = server.url().replace('pa%20ss%2Fword', 'guess')
    await expect(withClient(wrong, client => client.query('select 1'))).rejects.toThrow(/authentication/)
  })
})

describe('the programs of the server', () => {
  const native = installedBinaries()

  const wherever = native === undefined ? () => {} : it

  wherever('work without the links that npm leaves out, in a folder that others may not enter', () => {
    const root = mkdtempSync(join(tmpdir(), 'pg-binaries-'))
    try {
      const [bare, scratch] = [join(root, 'package', 'native'), join(root, 'scratch')]
      cpSync(native ?? '', bare, { recursive: true, filter: path => !lstatSync(path).isSymbolicLink() })
      chmodSync(dirname(bare), 0o700)
      mkdirSync(scratch)
      for (const path of [root, scratch]) chmodSync(path, 0o755)
      const { initdb, env, user } = findBinaries(scratch, bare)
      const said = spawnSync(initdb, ['--version'], { env, ...user, encoding: 'utf8' })
      expect(said.stdout).toMatch(/^initdb \(PostgreSQL\) \d+/)
      expect(initdb.startsWith(scratch)).toBe(user !== undefined)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
