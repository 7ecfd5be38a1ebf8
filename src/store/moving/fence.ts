import type { Stamp } from '../../core/time.js'
import { type Query, query, type Sql } from '../engine.js'
import { PARTITIONED, partitionNames } from '../migrations/postgres-partitions.js'
import { tableIn } from '../postgres/check.js'
import { quoted } from '../postgres/dialect.js'
import { partitionsIn } from '../postgres/layout.js'
import { timeOfCommit } from '../sql-store/clock.js'
import { appendLedgerEvent } from '../sql-store/events.js'
import type { Mark } from '../sql-store/meta.js'
import { FENCE_BODY, FENCE_FUNCTION, fenceName, fencesOf } from './fence-lines.js'
import { FENCED } from './tables.js'

export interface Fencing {
  readonly ledger_id: string
  readonly clock: () => Stamp
  readonly actor: string
  /** the schema of PostgreSQL; null for a file */
  readonly schema: string | null
}

/** From this commit on nothing is written to the ledger but by `unfence`. It says so in its own chain first. */
export function* fence({ ledger_id, clock, actor, schema }: Fencing, to: string): Sql<void> {
  // Taken first: a commit under way ends before, and one that begins meanwhile meets the triggers.
  if (schema !== null) yield* query(`lock table ${allIn(schema)} in share row exclusive mode`)
  const { stamp } = yield* timeOfCommit(clock)
  yield* appendLedgerEvent({ ledger_id, stamp }, { about: null, type: 'moved', actor, body: { to } })
  yield* setMark({ state: 'gone', to })
  yield fenceStatements(schema, yield* fenced(schema)).map(statement)
}

/** Takes the fence away again. */
export function* unfence({ ledger_id, clock, actor, schema }: Fencing): Sql<void> {
  yield unfenceStatements(schema, yield* fenced(schema)).map(statement)
  yield* setMark(null)
  const { stamp } = yield* timeOfCommit(clock)
  yield* appendLedgerEvent({ ledger_id, stamp }, { about: null, type: 'move_taken_back', actor, body: {} })
}

export function* setMark(mark: Mark | null): Sql<void> {
  yield* query('update ledger_meta set moved = $1 where one = 1', [
    mark === null ? null : JSON.stringify(mark),
  ])
}

/** A statement that names a partition passes the triggers of its table by. */
function* fenced(schema: string | null): Sql<readonly string[]> {
  const partitions = schema === null ? null : yield* partitionsIn(schema)
  if (partitions === null) return FENCED
  const split = FENCED.filter(table => PARTITIONED[table] !== undefined)
  return [...FENCED, ...split.flatMap(table => partitionNames(table, partitions))]
}

function statement(text: string): Query {
  return { text, params: [] }
}

function allIn(schema: string): string {
  return FENCED.map(table => tableIn(schema, table)).join(', ')
}

function fenceStatements(schema: string | null, tables: readonly string[]): string[] {
  if (schema === null) return tables.flatMap(table => fencesOf(table).map(({ sql }) => sql))
  return [
    `create function ${quoted(schema)}.${FENCE_FUNCTION}() returns trigger language plpgsql as $guard$${FENCE_BODY}$guard$`,
    ...tables.map(
      table =>
        `create trigger ${fenceName(table)} before insert or update or delete or truncate on ${tableIn(schema, table)}
for each statement execute function ${quoted(schema)}.${FENCE_FUNCTION}()`,
    ),
  ]
}

function unfenceStatements(schema: string | null, tables: readonly string[]): string[] {
  if (schema === null)
    return tables.flatMap(table => fencesOf(table).map(({ name }) => `drop trigger ${name}`))
  return [
    ...tables.map(table => `drop trigger ${fenceName(table)} on ${tableIn(schema, table)}`),
    `drop function ${quoted(schema)}.${FENCE_FUNCTION}()`,
  ]
}
