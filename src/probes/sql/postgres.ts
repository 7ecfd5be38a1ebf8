import type { JsonValue } from '../../core/json.js'
import { MOST_ROWS, type Rows, type SqlQuestion } from './question.js'

/**
 * A select on PostgreSQL, in a read-only transaction that ends by itself when its time is up. Told to stop it answers at
 * once, whatever the connection is waiting for.
 */
export function queryPostgres(url: string, question: SqlQuestion): Promise<Rows> {
  const { signal } = question
  const stopped = new Promise<Rows>(resolve => {
    const stop = () => resolve({ problem: 'it was told to stop' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([asked(url, question), stopped])
}

async function asked(url: string, { query, params, timeoutMs, signal }: SqlQuestion): Promise<Rows> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    application_name: 'agent-ledger probe',
  })
  // A connection that breaks while nothing is asked would end the process.
  client.on('error', () => undefined)
  const onAbort = () => void client.end().catch(() => undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await client.connect()
    // Broken off, what we asked for does not run on until its time is up. Servers before 14 do not know the word.
    await client.query("set client_connection_check_interval = '1s'").catch(() => undefined)
    await client.query('begin transaction isolation level repeatable read, read only')
    // One statement: the extended protocol refuses several, and a cursor takes no more than it is asked for. Without
    // values the client would speak the simple protocol, in which a second statement can end the transaction and write.
    const declared = {
      text: `declare found no scroll cursor for ${withoutEnd(query)}`,
      values: [...params],
      queryMode: 'extended',
    }
    await client.query(declared)
    const { rows } = await client.query(`fetch forward ${MOST_ROWS + 1} from found`)
    await client.query('rollback')
    return { rows: rows.slice(0, MOST_ROWS).map(plain), isCut: rows.length > MOST_ROWS }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  } finally {
    signal.removeEventListener('abort', onAbort)
    await client.end().catch(() => undefined)
  }
}

function withoutEnd(query: string): string {
  return query.trim().replace(/;$/, '')
}

function plain(row: unknown): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(row))
  return value
}
