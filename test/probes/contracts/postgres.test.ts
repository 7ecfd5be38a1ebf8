import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aLedger } from '../../ledger/support/a-ledger.js'
import { type PostgresServer, startPostgres, withClient } from '../../postgres/server.js'
import { contracted } from '../support/contract.js'

describe('postgres.transaction on a server', () => {
  let server: PostgresServer
  let url: string
  beforeAll(async () => {
    server = await startPostgres()
    url = await server.createDatabase()
    await withClient(url, client => client.query('create table paid (op text primary key)'))
  })
  afterAll(() => server.remove())

  /** An operation whose COMMIT was lost, with the id that the transaction had asked for inside it. */
  async function lostCommit(xid: string) {
    const shop = contracted({
      service: 'postgres.transaction',
      with: {},
      env: { DATABASE_URL: url },
      ledger: await aLedger(),
    })
    await shop.lost('op-1')
    const external_id = { kind: 'xid', value: xid }
    await shop.ledger.store.addEvidence({
      operation_id: 'op-1',
      evidence: [{ kind: 'receipt', origin: 'observed', attempt: 1, body: { external_ids: [external_id] } }],
      external_ids: [external_id],
      by: { actor: 'agent', clock: shop.ledger.clock },
    })
    return shop
  }

  /** Its own id, as pg_current_xact_id() says inside it. */
  const transaction = (end: 'commit' | 'rollback', op: string) =>
    withClient(url, async client => {
      await client.query('begin')
      const { rows } = await client.query('select pg_current_xact_id()::text as xid')
      await client.query('insert into paid values ($1)', [op])
      await client.query(end)
      return String(rows[0]?.xid)
    })

  it('confirms the one that was committed, at the first look', async () => {
    const { ask } = await lostCommit(await transaction('commit', 'a'))
    expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed', reason: 'its task says committed' })
  })

  it('settles the one that was rolled back as not executed', async () => {
    const { ask } = await lostCommit(await transaction('rollback', 'b'))
    expect(await ask('op-1')).toMatchObject({ outcome: 'not_executed', status: 'not_executed' })
  })

  it('waits for one that is in progress, and confirms it when it has ended', async () => {
    await withClient(url, async client => {
      await client.query('begin')
      const { rows } = await client.query('select pg_current_xact_id()::text as xid')
      await client.query("insert into paid values ('c')")
      const { ask, now, ledger } = await lostCommit(String(rows[0]?.xid))
      const early = await ask('op-1')
      expect(early).toMatchObject({
        outcome: 'in_doubt',
        waits_for: 'service',
        reason: 'still running remotely (in progress): look again',
      })
      await client.query('commit')
      ledger.clock.advance(Date.parse(early.next_look_at ?? '') - now() + 1)
      expect(await ask('op-1')).toMatchObject({ outcome: 'confirmed' })
    })
  })

  it('concludes nothing of one that is older than what the server keeps', async () => {
    // Before the oldest that any database still needs: initdb froze what was there.
    const { ask } = await lostCommit('3')
    expect(await ask('op-1')).toMatchObject({
      outcome: 'in_doubt',
      status: 'unknown',
      reason: expect.stringContaining('its record is gone or expired'),
    })
  })

  it.each([
    ['another cluster', '9000000000000000'],
    ['nobody', 'not a number'],
  ])('could not ask for an id of %s', async (_, xid) => {
    const { ask } = await lostCommit(xid)
    const said = await ask('op-1')
    expect(said).toMatchObject({ outcome: 'probe_failed', status: 'unknown' })
    expect(JSON.stringify(said)).not.toContain(url)
  })
})
