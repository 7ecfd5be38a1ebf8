import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from '../postgres/server.js'
import { conformance } from './conformance.js'
import { ledgersIn } from './support/postgres-ledgers.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

conformance(
  'PostgreSQL, split into four',
  ledgersIn(() => `${server.url()}&schema=of agents`, 4),
)
