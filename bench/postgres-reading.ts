import { join } from 'node:path'
import { startPostgres, withClient } from '../test/postgres/server.js'
import type { Bench } from './figure.js'
import { postgresLedgerOf } from './postgres-ledgers.js'
import { lookedAt } from './reading.js'

const SMALL = 1_000
const LARGE = 1_000_000

/** As `reading`, of ledgers in PostgreSQL on this machine. */
export const postgresReading: Bench = {
  name: 'postgres-reading',
  measure: async (size = LARGE) => {
    const server = await startPostgres({ settings: { shared_buffers: '256MB', max_wal_size: '8GB' } })
    try {
      const [small, large] = [await server.createDatabase(), await server.createDatabase()]
      await postgresLedgerOf(small, SMALL)
      await postgresLedgerOf(large, size)
      const bytes = await withClient(large, async client => {
        const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
        return Number(rows[0]?.bytes)
      })
      const bare = [join(import.meta.dirname, 'bare-stream-postgres.mjs'), large]
      return lookedAt({ small, large, size, bare, bytes })
    } finally {
      await server.remove()
    }
  },
}
