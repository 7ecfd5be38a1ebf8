import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLedger } from '../../../src/index.js'
import { newsOf } from '../../../src/store/news.js'
import { type PostgresServer, startPostgres, withClient } from '../../postgres/server.js'
import { runCli } from '../fake-io.js'

let primary: PostgresServer
let standby: PostgresServer
let [there, here] = ['', '']

beforeAll(async () => {
  primary = await startPostgres()
  there = await primary.createDatabase()
  const ledger = await openLedger(there)
  await ledger.run({ id: 'sent', task: 't', tool: 'x', input: 1 }, () => ({ id: 1 }))
  await ledger.run({ id: 'lost', task: 't', tool: 'x', input: 2 }, () => {
    throw new Error('socket hang up')
  })
  await ledger.prepare({ id: 'waits', task: 't', tool: 'x', input: 3 })
  await ledger.close()
  standby = await primary.standby()
  here = there.replace(encodeURIComponent(primary.socketFolder), encodeURIComponent(standby.socketFolder))
}, 120_000)
afterAll(async () => {
  await standby.remove()
  await primary.remove()
})

const on = (url: string, ...argv: string[]) => runCli([...argv, '--ledger', url])

describe('a standby that follows the server of a ledger', () => {
  it.each([
    [['status'], 10],
    [['list', '--unknown'], 0],
    [['list', '--all', '--jsonl'], 0],
    [['show', 'lost'], 0],
    [['report', 't'], 0],
    [['tasks'], 0],
    [['log'], 0],
    [['check', '--fail-on', 'duplicates'], 0],
    [['verify'], 0],
    [['export'], 0],
    [['contracts'], 0],
    [['redact', 'sent', '--reason', 'r', '--dry-run'], 0],
    [['prune', '--settled-before', '0s', '--dry-run'], 0],
    [['reconcile', 'lost', '--dry-run'], 6],
    [['reconcile', '--all', '--dry-run'], 6],
  ] as const)('answers %j', async ([...argv], least) => {
    const { code, out: stdout, err: stderr } = await on(here, ...argv)
    expect({
      code: code === least || code === 0 ? 'read' : code,
      stderr: /read-only|cannot/.exec(stderr)?.[0],
    }).toEqual({
      code: 'read',
      stderr: undefined,
    })
    expect(stdout).not.toBe('')
  })

  it.each([
    [['note', 'lost', 'seen', '--yes']],
    [['redact', 'sent', '--reason', 'r', '--yes']],
    [['reconcile', 'lost']],
    [['import', 'jsonl', 'package.json', '--dry-run']],
  ])('refuses %j with the reason, and what to do', async argv => {
    const { code, err: stderr } = await on(here, ...argv)
    expect(code).toBe(3)
    expect(stderr).toMatch(/read-only: this server follows another one.*name the primary server/s)
  })

  it('lets nobody listen, and looks go on without it', async () => {
    const news = await newsOf(here)
    await news.wait(5)
    await news.wait(5)
    await news.close()
  })

  it('is told by doctor', async () => {
    const { out: stdout } = await on(here, 'doctor')
    expect(stdout).toMatch(/replica|follows/)
  })

  it('that is promoted is another incarnation: what was prepared before waits for a person', async () => {
    for (let tries = 0; tries < 600; tries++) {
      const caught = await withClient(primary.url(), client =>
        client.query('select bool_and(replay_lsn = pg_current_wal_lsn()) as caught from pg_stat_replication'),
      )
      if (caught.rows[0]?.caught === true) break
      await sleep(100)
    }
    await primary.kill()
    await standby.promote()
    const ledger = await openLedger(here)
    const sent: string[] = []
    const waits = await ledger.run({ id: 'waits', task: 't', tool: 'x', input: 3 }, () => {
      sent.push('waits')
      return null
    })
    expect(waits).toMatchObject({ status: 'waiting', for: 'person' })
    const fresh = await ledger.run({ id: 'fresh', task: 't', tool: 'x', input: 4 }, () => {
      sent.push('fresh')
      return null
    })
    expect(fresh).toMatchObject({ status: 'confirmed' })
    expect(sent).toEqual(['fresh'])
    await ledger.close()
    expect((await on(here, 'show', 'sent')).out).toMatch(/confirmed/)
    await primary.start()
  })
})
