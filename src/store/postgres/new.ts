import type { Stamp } from '../../core/time.js'
import { flag } from '../cells.js'
import { lock, query, type Sql } from '../engine.js'
import { firstSchemaFor } from '../migrations/postgres.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { createMeta } from '../sql-store/meta.js'
import { quoted } from './dialect.js'
import { homeOf } from './home.js'

interface NewLedgerSchema {
  readonly schema: string
  readonly now: Stamp
  /** the program and its version */
  readonly program: string
  readonly hasSchema: boolean
  /** how many the large tables are split into; null: none */
  readonly partitions: number | null
  /** writes what the ledger says of itself; unless given, a new ledger begins */
  readonly begin?: (home: string) => Sql<unknown>
}

/** Makes the tables of an empty ledger in one commit: whole or not at all. False: another process was first. */
export function* newLedgerSchema(asked: NewLedgerSchema): Sql<boolean> {
  const { schema, now, program, hasSchema, partitions, begin } = asked

  yield* lock({ kind: 'ledger', name: 'the making of it' })
  const [row] = yield* query(
    `select exists (
       select 1
       from pg_class as c
       join pg_namespace as n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relname = 'ledger_meta'
     ) as is_there`,
    [schema],
  )
  if (row !== undefined && flag(row, 'is_there')) return false
  // Even where it is there already "if not exists" asks for the right to make one.
  if (!hasSchema) yield* query(`create schema if not exists ${quoted(schema)}`)
  yield firstSchemaFor(schema, partitions).map(text => ({ text, params: [] }))
  yield* query('insert into ledger_schema (version, applied_at) values ($1, $2)', [NEWEST_SCHEMA, now.at])
  const home = yield* homeOf(schema)
  yield* begin === undefined ? createMeta({ now, program, home }) : begin(home)
  return true
}
