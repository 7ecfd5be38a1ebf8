import { existsSync, statSync } from 'node:fs'
import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import type { Engine, Sql } from '../engine.js'
import { query } from '../engine.js'
import { parseLocation } from '../location.js'
import { type Mark, type Meta, readMeta } from '../sql-store/meta.js'
import { createFile } from '../sqlite/create.js'
import { migrate } from '../sqlite/migrate.js'
import { homeOf } from '../sqlite/new.js'
import { openForWriting } from '../sqlite/open.js'
import { openForReading } from '../sqlite/reading.js'
import { runSql } from '../sqlite/run.js'

/** One end of a move. Unlike an opened store, it may be a ledger that was moved or has not arrived. */
export interface End {
  /** without a password */
  readonly shown: string
  /** null for a file */
  readonly schema: string | null
  readonly open: (doing: 'reading' | 'writing') => Promise<Engine>
  /** there is something at this place; what it is shows when it is opened */
  readonly isThere: () => Promise<boolean>
  /** makes the tables with this as what the ledger says of itself; false: another was first */
  readonly make: (meta: Meta, now: Stamp) => Promise<boolean>
  /** as ledger_meta names it */
  readonly home: () => string | Sql<string>
}

/** By whom a place is made, and how. */
export interface MadeBy {
  /** the program and its version */
  readonly program: string
  /** PostgreSQL: how many the large tables are split into; null: none */
  readonly partitions: number | null
}

export async function endOf(url: string, waitMs: number, by: MadeBy): Promise<End> {
  const location = parseLocation(url)
  if (location.engine === 'postgresql') {
    const { postgresEnd } = await import('../postgres/end.js')
    return postgresEnd(url, waitMs, by)
  }
  const { path } = location
  return {
    shown: path,
    schema: null,
    open: doing =>
      doing === 'writing' ? openForWriting({ path, waitMs }) : openForReading({ path, waitMs }),
    isThere: async () => existsSync(path),
    make: async meta =>
      createFile(path, database => {
        migrate(database, path)
        database.transaction(() => runSql(database, writeMeta(meta)))()
      }),
    home: () => homeOf(statSync(path)),
  }
}

export function* writeMeta(meta: Meta): Sql<void> {
  yield* query(
    `insert into ledger_meta (one, ledger_id, incarnation, home, created_at, created_by, moved)
     values (1, $1, $2, $3, $4, $5, $6)`,
    [
      meta.ledger_id,
      meta.incarnation,
      meta.home,
      meta.created_at,
      meta.created_by,
      JSON.stringify(meta.moved),
    ],
  )
}

/** What a ledger says of itself, whatever its mark. @throws LedgerError ledger_damaged */
export async function metaOf(engine: Engine, { shown }: End): Promise<Meta> {
  const meta = await engine.read(readMeta)
  if (meta !== null) return meta
  throw new LedgerError('ledger_damaged', `${shown} does not say which ledger it is (ledger_meta is empty)`, {
    path: shown,
  })
}

export function isGoneTo(mark: Mark | null, { shown }: End): boolean {
  return mark !== null && mark.state === 'gone' && mark.to === shown
}
