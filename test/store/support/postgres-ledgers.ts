import { onTestFinished } from 'vitest'
import { createStore, openStore } from '../../../src/store/open.js'
import { tableIn, tablesOf } from '../../../src/store/postgres/check.js'
import { homeOf } from '../../../src/store/postgres/home.js'
import { placeOf } from '../../../src/store/postgres/place.js'
import { postgresEngine } from '../../../src/store/postgres/postgres.js'
import { createMeta } from '../../../src/store/sql-store/meta.js'
import { NOON, stampAt } from '../../core/builders.js'
import { withClient } from '../../postgres/server.js'
import type { NewStore } from './stores.js'

const PROGRAM = 'a test'

/**
 * A way to new ledgers that all lie in one schema, one after the other: emptying the tables takes a tenth of the time
 * that making them takes. Only for tests that run in turn.
 */
export function ledgersIn(url: () => string, partitions: number | null = null): NewStore {
  let isMade = false
  return async () => {
    const options = { url: url(), waitMs: 5_000, clock: () => stampAt(NOON), program: PROGRAM }
    const place = placeOf(options.url)
    if (!isMade) await createStore({ ...options, ...(partitions === null ? {} : { partitions }) })
    const engine = postgresEngine({ place, waitMs: 5_000, for: 'writing' })
    onTestFinished(() => engine.close())
    if (isMade) {
      await empty(options.url, partitions)
      const home = await engine.read(() => homeOf(place.schema))
      await engine.write(() => createMeta({ now: stampAt(NOON), program: PROGRAM, home }))
    }
    isMade = true
    const again = async () => {
      const store = await openStore(options)
      onTestFinished(() => store.close())
      return store
    }
    return { store: await again(), engine, again }
  }
}

/** As the superuser may, past the triggers that let the tables only grow. */
async function empty(url: string, partitions: number | null): Promise<void> {
  const { schema } = placeOf(url)
  const tables = tablesOf(schema, partitions).filter(table => table !== 'ledger_schema')
  await withClient(url.replace(/&schema=.*/, ''), client =>
    client.query(
      `set session_replication_role = replica;
       set synchronous_commit = off;
       truncate ${tables.map(table => tableIn(schema, table)).join(', ')} restart identity`,
    ),
  )
}
