import { existsSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from '../../postgres/server.js'
import { conformance } from '../../store/conformance.js'
import { ledgersIn } from '../../store/support/postgres-ledgers.js'

/** Of Debian and its like; `AGENT_LEDGER_OTHER_PGBIN` names another folder with initdb and postgres. */
const PROGRAMS =
  process.env.AGENT_LEDGER_OTHER_PGBIN ??
  [15, 16, 14, 17].map(version => `/usr/lib/postgresql/${version}/bin`).find(existsSync) ??
  '/usr/lib/postgresql/15/bin'

let server: PostgresServer
beforeAll(async () => {
  process.env.PGBIN = PROGRAMS
  server = await startPostgres()
  delete process.env.PGBIN
})
afterAll(() => server.remove())

const version = /(\d+)\/bin/.exec(PROGRAMS)?.[1] ?? 'another version'
conformance(
  `PostgreSQL ${version}`,
  ledgersIn(() => server.url()),
)
conformance(
  `PostgreSQL ${version}, split into three`,
  ledgersIn(() => `${server.url()}&schema=split`, 3),
)
