import { number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'

/** What a ledger says of itself. */
export interface Meta {
  /** made once, inside every hash of every chain */
  readonly ledger_id: string
  /** raised when the ledger is found to be a copy or restored: what was prepared before may have been sent */
  readonly incarnation: number
  /** the file it lived in when this incarnation began; empty where the engine has no files */
  readonly home: string
  readonly created_at: number
  readonly created_by: string
}

export function* readMeta(): Sql<Meta | null> {
  const [row] = yield* query(
    `select ledger_id, incarnation, home, created_at, created_by
     from ledger_meta
     where one = 1`,
  )
  if (!row) return null
  return {
    ledger_id: text(row, 'ledger_id'),
    incarnation: number(row, 'incarnation'),
    home: text(row, 'home'),
    created_at: number(row, 'created_at'),
    created_by: text(row, 'created_by'),
  }
}

export function* insertMeta(meta: Meta): Sql<void> {
  yield* query(
    `insert into ledger_meta (one, ledger_id, incarnation, home, created_at, created_by)
     values (1, $1, $2, $3, $4, $5)`,
    [meta.ledger_id, meta.incarnation, meta.home, meta.created_at, meta.created_by],
  )
}

/** Begins a new incarnation, unless another process began it first. */
export function* updateHome(from: Meta, home: string): Sql<boolean> {
  const rows = yield* query(
    `update ledger_meta
     set home = $1, incarnation = incarnation + 1
     where one = 1 and incarnation = $2 and home = $3
     returning incarnation`,
    [home, from.incarnation, from.home],
  )
  return rows.length === 1
}
