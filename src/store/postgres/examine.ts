import type { InsideFacts, ServerHealth } from '../../core/health/facts.js'
import type { Stamp } from '../../core/time.js'
import { flag, number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { lastStamp } from '../sql-store/clock.js'
import { readMeta } from '../sql-store/meta.js'
import {
  refuseNoLedger,
  refuseServer,
  type ServerFacts,
  schemaNumber,
  serverFacts,
  versionOf,
} from './check.js'
import { explained } from './errors.js'
import { homeOf, isSameHome } from './home.js'
import { placeOf } from './place.js'
import { postgresEngine } from './postgres.js'

export interface PostgresExamined {
  readonly server: ServerHealth
  readonly inside: InsideFacts | null
}

/** What a server and the ledger in it say of themselves, read without a trace. Throws as opening for reading does. */
export async function examinePostgres(
  url: string,
  waitMs: number,
  machine: () => Stamp,
): Promise<PostgresExamined> {
  const place = placeOf(url)
  const engine = postgresEngine({ place, waitMs, for: 'reading' })
  try {
    const facts = await engine.read(() => serverFacts(place.schema))
    refuseServer(facts, place)
    const serverNow = await engine.clockOn(machine)
    const clock_ahead_ms = serverNow().at - machine().at
    const is_pooled = await engine.isPooled()
    const server = { ...(await engine.read(() => serverHealth(facts))), clock_ahead_ms, is_pooled }
    refuseNoLedger(facts, place)
    const inside = await engine.read(() => insideOf(place.schema, facts.is_replica))
    const damages = await engine.damages('quick')
    return { server, inside: inside === null ? null : { ...inside, damages } }
  } catch (error) {
    throw explained(error, { place, doing: 'reading' })
  } finally {
    await engine.close()
  }
}

function* serverHealth(facts: ServerFacts): Sql<Omit<ServerHealth, 'clock_ahead_ms' | 'is_pooled'>> {
  const [row] = yield* query(
    `select
       (select reset_val from pg_settings where name = 'synchronous_commit') as synchronous_commit,
       pg_has_role('pg_monitor', 'usage') as may_look,
       (select count(*) from pg_stat_replication where sync_state = 'async') as trailing,
       coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
       inet_server_addr() is null as is_local`,
  )
  if (row === undefined) throw new Error('a query without a table gives one row')
  return {
    version: versionOf(facts.server),
    fsync: facts.fsync,
    is_replica: facts.is_replica,
    is_read_only: facts.is_read_only,
    synchronous_commit: text(row, 'synchronous_commit'),
    trailing_replicas: flag(row, 'may_look') ? number(row, 'trailing') : null,
    is_plain: !flag(row, 'is_encrypted') && !flag(row, 'is_local'),
  }
}

function* insideOf(schema: string, isReplica: boolean): Sql<Omit<InsideFacts, 'damages'> | null> {
  const meta = yield* readMeta()
  if (meta === null) return null
  // A replica has no timeline of its own to tell.
  const is_home = isReplica || isSameHome(yield* homeOf(schema), meta.home)
  return {
    ledger_id: meta.ledger_id,
    incarnation: meta.incarnation,
    is_home,
    schema: yield* schemaNumber(),
    newest_schema: NEWEST_SCHEMA,
    last_commit: yield* lastStamp(),
  }
}
