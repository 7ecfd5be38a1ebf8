import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** Settles when a transaction of that server waits for a lock: of a row, a name, or another transaction. */
export async function somebodyWaits(client: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query('select 1 from pg_locks where not granted')
    if (rowCount !== 0) return
    await sleep(5)
  }
}
