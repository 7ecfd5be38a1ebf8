import { afterAll, beforeAll, expect, it } from 'vitest'
import { NOON, stampAt } from '../core/builders.js'
import { aRecord } from '../core/importing/record.js'
import { type PostgresServer, startPostgres, withClient } from '../postgres/server.js'
import { somebodyWaits } from '../postgres/waiting.js'
import { ledgersIn } from './support/postgres-ledgers.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const newStore = ledgersIn(() => `${server.url()}&schema=imports`)

it('an import waits for a commit that changes an operation it brings, and finds what that one wrote', async () => {
  const { store } = await newStore()
  const bring = (updated_at: number) =>
    store.importRecords({
      records: () => [aRecord({ updated_at, status: 'unknown', attempts: [] })],
      taking: {
        source: 'other',
        mask: { text: (one: string) => one, value: one => one },
        declared: () => null,
      },
      origin: '/there',
      workersStopped: false,
      isDryRun: false,
      by: { actor: 'ana', clock: () => stampAt(NOON) },
      isOwnerGone: () => false,
      onWarning: () => undefined,
      onProgress: () => undefined,
    })
  await bring(NOON - 9)
  const brought = await withClient(server.url(), async client => {
    // as a commit holds the task of the operation that it changes
    await client.query('begin; select 1 from imports.ledger_task for share')
    const waiting = bring(NOON - 8)
    await withClient(server.url(), somebodyWaits)
    await client.query('commit')
    return waiting
  })
  expect(brought.operations).toMatchObject({ added: 0 })
})
