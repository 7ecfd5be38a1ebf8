import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLedger } from '../../../src/index.js'
import { placeOf } from '../../../src/store/postgres/place.js'
import { postgresEngine } from '../../../src/store/postgres/postgres.js'
import { runCli } from '../../cli/fake-io.js'
import { type PostgresServer, startPostgres, withClient } from '../../postgres/server.js'

const NOBODY = 65_534

let server: PostgresServer
let end = async () => {}
let url = ''

beforeAll(async () => {
  server = await startPostgres()
  const database = new URL((await server.createDatabase()).replace('@/', '@x/')).pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'pgb-'))
  chmodSync(folder, 0o777)
  // Two processes of the server for all: transactions of one client go to either.
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${server.socketFolder} user=ledger
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
`,
  )
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const pooler = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...user,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  end = async () => {
    pooler.kill('SIGINT')
    await once(pooler, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  url = `postgresql://ledger@/${database}?host=${encodeURIComponent(folder)}&port=6432`
  for (let tries = 0; ; tries++) {
    try {
      await withClient(url, client => client.query('select 1'))
      break
    } catch (error) {
      if (tries > 200) throw error
      await sleep(50)
    }
  }
})
afterAll(async () => {
  await end()
  await server.remove()
})

describe('PgBouncer with pool_mode = transaction', () => {
  it('is seen, and agents beside each other work through it', async () => {
    const ledgers = await Promise.all(
      [1, 2, 3].map(() => openLedger(`${url}&connections=8`, { waitMs: 60_000 })),
    )
    const engine = postgresEngine({ place: placeOf(url), waitMs: 5_000, for: 'reading' })
    expect(await engine.isPooled()).toBe(true)
    await engine.close()
    const sent: string[] = []
    const ends = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        ledgers[n % 3]?.run(
          { id: `op-${n % 40}`, task: `t-${n % 7}`, tool: 'x', input: { n: n % 40 } },
          () => {
            sent.push(`op-${n % 40}`)
            return { n }
          },
        ),
      ),
    )
    expect(sent.length).toBe(40)
    expect(new Set(sent).size).toBe(40)
    expect(
      ends.every(ended => ended !== undefined && ['confirmed', 'in_progress'].includes(ended.status)),
    ).toBe(true)
    for (const ledger of ledgers) await ledger.close()
  })

  it('takes an outbox, and is read by the command line', async () => {
    const ledger = await openLedger(url)
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('begin')
    await ledger.prepareIn(client, { id: 'of outbox', task: 'o', tool: 'x', input: 1 })
    await client.query('commit')
    await client.end()
    await ledger.close()
    for (const argv of [
      ['status'],
      ['list', '--all'],
      ['show', 'of outbox'],
      ['verify'],
      ['doctor'],
      ['log'],
    ]) {
      const { code, out } = await runCli([...argv, '--ledger', url])
      expect([argv[0], code === 3 || code === 1]).toEqual([argv[0], false])
      expect(out).not.toBe('')
    }
  })
})
