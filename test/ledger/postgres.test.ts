import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Ledger, openLedger } from '../../src/index.js'
import { startProxy } from '../postgres/proxy.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'

let server: PostgresServer
const PROGRAM = join(import.meta.dirname, '../../bin/agent-ledger.js')
const home = mkdtempSync(join(tmpdir(), 'agent-ledger-home-'))
beforeAll(async () => {
  process.env.XDG_STATE_HOME = home
  server = await startPostgres()
})
afterAll(async () => {
  delete process.env.XDG_STATE_HOME
  rmSync(home, { recursive: true, force: true })
  await server.remove()
})

const CALL = { id: 'pay-1', task: 'task-1', tool: 'payments.charge', input: { order: 9 } }

async function aLedger(url?: string): Promise<{ ledger: Ledger; url: string }> {
  const place = url ?? (await server.createDatabase())
  const ledger = await openLedger(place, { waitMs: 5_000 })
  onTestFinished(() => ledger.close())
  return { ledger, url: place }
}

describe('the library on PostgreSQL', () => {
  it('carries an operation out once, whoever asks again', async () => {
    const { ledger, url } = await aLedger()
    const calls: number[] = []
    const charge = () => ({ charged: calls.push(1) })
    expect(await ledger.run(CALL, charge)).toMatchObject({ status: 'confirmed', result: { charged: 1 } })
    const { ledger: other } = await aLedger(url)
    expect(await other.run(CALL, charge)).toMatchObject({ status: 'confirmed', result: { charged: 1 } })
    expect(calls).toEqual([1])
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('lets one of many processes that ask at once send', async () => {
    const { ledger, url } = await aLedger()
    const handles = [ledger, ...(await Promise.all([1, 2, 3].map(async () => (await aLedger(url)).ledger)))]
    let sent = 0
    await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        (handles[n % 4] ?? ledger).run(CALL, () => {
          sent += 1
          return 'done'
        }),
      ),
    )
    expect(sent).toBe(1)
  })

  it('goes by the clock of the server, also where that of a machine is five minutes off', async () => {
    const { ledger, url } = await aLedger()
    await ledger.run(CALL, () => 1)
    const said = await withClient(url, client =>
      client.query(`select max(at) - extract(epoch from now()) * 1000 as off from agent_ledger.ledger_event`),
    )
    expect(Math.abs(Number(said.rows[0].off))).toBeLessThan(60_000)
    const program = `import { openLedger } from ${JSON.stringify(join(import.meta.dirname, '../../src/index.ts'))}
      const real = Date.now; Date.now = () => real() + 300_000
      const ledger = await openLedger(${JSON.stringify(url)})
      await ledger.run({ ...${JSON.stringify(CALL)}, id: 'pay-2', input: 2 }, () => 2)
      await ledger.close()`
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
    const { rows } = await withClient(url, client =>
      client.query(`select max(at) - extract(epoch from now()) * 1000 as off from agent_ledger.ledger_event`),
    )
    expect(Number(rows[0].off)).toBeLessThan(60_000)
    expect((await ledger.run({ ...CALL, id: 'pay-3', input: 3 }, () => 3)).status).toBe('confirmed')
  })

  it('makes no call where it is not known whether the intent was written, and ends what was', async () => {
    for (const when of ['before', 'after'] as const) {
      const proxy = await startProxy({
        socketFolder: server.socketFolder,
        url: await server.createDatabase(),
      })
      onTestFinished(() => proxy.close())
      const { ledger } = await aLedger(proxy.url)
      let calls = 0
      proxy.cutAtCommit(when)
      const run = ledger.run(CALL, () => {
        calls += 1
        return 1
      })
      await expect(run).rejects.toMatchObject({ code: 'ledger_unwritable' })
      expect(calls).toBe(0)
      const { operations } = await ledger.list({ show: 'all' })
      expect(operations.map(({ status }) => status)).toEqual(when === 'before' ? [] : ['not_executed'])
      expect(await ledger.run(CALL, () => 2)).toMatchObject({ status: 'confirmed', result: 2 })
      expect(await ledger.verify()).toMatchObject({ findings: [] })
    }
  })

  it('keeps an outcome that cannot be recorded in a folder of the user until the server is back', async () => {
    const own = await startPostgres()
    try {
      const url = await own.createDatabase()
      const ledger = await openLedger(url, { waitMs: 200 })
      const { ledgerId } = ledger
      const outcome = await ledger.run(CALL, async () => {
        await own.kill()
        return { charged: 1 }
      })
      expect(outcome.status).toBe('unrecorded')
      await ledger.close()
      expect(readdirSync(join(home, 'agent-ledger', 'receipts', ledgerId))).toHaveLength(1)
      await own.start()
      const again = await openLedger(url)
      const { operations } = await again.list({ show: 'all' })
      expect(operations).toMatchObject([{ operation_id: 'pay-1', status: 'confirmed' }])
      expect(readdirSync(join(home, 'agent-ledger', 'receipts', ledgerId))).toEqual([])
      await again.close()
    } finally {
      await own.remove()
    }
  })
})

describe('an intent in the transaction of the application’s own client', () => {
  it('is there with what it commits, and is sent by a dispatcher', async () => {
    const { ledger, url } = await aLedger()
    await withClient(url, async client => {
      await client.query('create table orders (id int)')
      await client.query('begin')
      await client.query('insert into orders values (9)')
      const standing = await ledger.prepareIn(client, CALL)
      expect(standing).toMatchObject({ operation_id: 'pay-1', status: 'prepared' })
      await client.query('commit')
    })
    const handlers = { 'payments.charge': () => ({ charged: 1 }) }
    expect(await ledger.dispatch({ handlers, until: 'idle' })).toEqual({
      outcomes: { confirmed: 1 },
      left: {},
    })
    expect(await ledger.verify()).toMatchObject({ findings: [] })
  })

  it('is gone with what it takes back, and a refusal leaves its own work whole', async () => {
    const { ledger, url } = await aLedger()
    await withClient(url, async client => {
      await client.query('create table orders (id int)')
      await client.query('begin')
      await ledger.prepareIn(client, CALL)
      await client.query('rollback')
    })
    await ledger.run({ ...CALL, input: 'another' }, () => 1)
    await withClient(url, async client => {
      await client.query('begin; insert into orders values (1)')
      await expect(ledger.prepareIn(client, CALL)).rejects.toMatchObject({ code: 'different_input' })
      await client.query('commit')
      expect((await client.query('select id from orders')).rows).toEqual([{ id: 1 }])
    })
  })

  it.each([
    ['without a transaction', async () => undefined, /no transaction is open/],
    [
      'whose transaction failed',
      async (client: Client) => {
        await client.query('begin')
        await client.query('nonsense').catch(() => undefined)
      },
      /failed already/,
    ],
    [
      'that would lose its commit with the power',
      async (client: Client) => {
        await client.query('begin; set local synchronous_commit = off')
      },
      /synchronous_commit is off/,
    ],
  ])('is refused %s', async (_, begin, message) => {
    const { ledger, url } = await aLedger()
    await withClient(url, async client => {
      await begin(client)
      await expect(ledger.prepareIn(client, CALL)).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(message),
      })
    })
  })

  it('is refused on another database, with or without a ledger', async () => {
    const { ledger } = await aLedger()
    const { url: other } = await aLedger()
    for (const [url, message] of [
      [other, /on another ledger/],
      [await server.createDatabase(), /without the schema agent_ledger/],
    ] as const)
      await withClient(url, async client => {
        await client.query('begin')
        await expect(ledger.prepareIn(client, CALL)).rejects.toMatchObject({
          code: 'invalid_input',
          message: expect.stringMatching(message),
        })
      })
  })
})

describe('the command line on PostgreSQL', () => {
  const run = (url: string, ...argv: string[]) => {
    const env = { ...process.env, AGENT_LEDGER: url, AGENT_LEDGER_BY: 'ana', NO_COLOR: '1' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...argv], {
      env,
      encoding: 'utf8',
    })
    return { status, out: stdout, err: stderr }
  }

  it('makes a ledger, decides in it, and looks at it from every side', async () => {
    const url = `${await server.createDatabase()}&schema=of agents`
    expect(run(url, 'status')).toMatchObject({ status: 3, err: expect.stringMatching(/no schema of agents/) })
    expect(run(url, 'init', '--roles')).toMatchObject({ status: 0, out: expect.stringMatching(/^made /) })
    const again = run(url, 'init', '--roles')
    expect(again.out).toMatch(
      /was there already; its rows were left as they are\nagent_ledger_reader was there, and may use it\n/,
    )
    const { ledger } = await aLedger(url)
    await ledger.run(CALL, () => Promise.reject(new Error('socket hang up')))
    expect(run(url, 'list', '--unknown', '--exit-code')).toMatchObject({ status: 10 })
    for (const argv of [
      ['status'],
      ['show', 'pay-1'],
      ['report'],
      ['tasks'],
      ['log'],
      ['verify'],
      ['doctor'],
      ['prune', '--settled-before', '90d', '--dry-run'],
    ])
      expect(run(url, ...argv), argv.join()).toMatchObject({ status: 0 })
    const resolved = run(
      url,
      'resolve',
      'pay-1',
      '--as',
      'confirmed',
      '--evidence',
      'seen',
      '--reason',
      'r',
      '--yes',
    )
    expect(resolved.status).toBe(0)
    expect(run(url, 'check')).toMatchObject({ status: 0 })
    expect(run(url, 'claim', 'task-1')).toMatchObject({ status: 0 })
  })

  it('loads nothing of PostgreSQL for a ledger in a file', () => {
    const file = join(home, 'ledger.db')
    // The program reads its chunks itself.
    const program = `const fs = require('node:fs'), read = fs.readFileSync
      fs.readFileSync = (name, ...rest) => {
        if (/store-postgres/.test(String(name))) process._rawDebug('loaded ' + name)
        return read(name, ...rest)
      }
      require(${JSON.stringify(PROGRAM)})`
    const look = (ledger: string, ...argv: string[]) =>
      spawnSync(process.execPath, ['-e', program, 'agent-ledger', ...argv, '--ledger', ledger], {
        encoding: 'utf8',
      }).stderr
    for (const argv of [['init'], ['status'], ['verify'], ['doctor']])
      expect(look(file, ...argv), argv.join()).not.toMatch(/loaded/)
    expect(look(server.url(), 'status')).toMatch(/loaded .*store-postgres/)
  })
})
