import { randomUUID } from 'node:crypto'
import type { Stamp } from '../../core/time.js'
import { jsonOrNull, number, text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent } from './events.js'

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
  /** it lives elsewhere now, or has not arrived here yet; null for a ledger that is in use here */
  readonly moved: Mark | null
}

/** Where a ledger stands that is moved from one place to another. Locations are without passwords. */
export type Mark =
  | { readonly state: 'gone'; readonly to: string }
  | {
      readonly state: 'arriving'
      readonly from: string
      /** the table that is being copied, and the key of its last row that is there; null before the first */
      readonly table: string | null
      readonly after: readonly (string | number)[] | null
      readonly rows: number
    }

export function* readMeta(): Sql<Meta | null> {
  const [row] = yield* query(
    `select ledger_id, incarnation, home, created_at, created_by, moved
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
    moved: jsonOrNull<Mark>(row, 'moved'),
  }
}

export interface Beginning {
  readonly now: Stamp
  /** the program and its version */
  readonly program: string
  readonly home: string
}

/** Begins an empty ledger under a new id; its first event says by whom and when. */
export function* createMeta({ now, program, home }: Beginning): Sql<Meta> {
  const meta = {
    ledger_id: randomUUID(),
    incarnation: 1,
    home,
    created_at: now.at,
    created_by: program,
    moved: null,
  }
  yield* query(
    `insert into ledger_meta (one, ledger_id, incarnation, home, created_at, created_by)
     values (1, $1, $2, $3, $4, $5)`,
    [meta.ledger_id, meta.incarnation, meta.home, meta.created_at, meta.created_by],
  )
  const writing = { ledger_id: meta.ledger_id, stamp: now }
  const body = { incarnation: 1, home }
  yield* appendLedgerEvent(writing, { about: null, type: 'created', actor: program, body })
  return meta
}

export interface Moved extends Pick<Beginning, 'program' | 'home'> {
  readonly clock: () => Stamp
}

/** A ledger in another home is a copy or restored: its next incarnation. Returns the incarnation it is at now. */
export function* moveHome({ clock, program, home }: Moved): Sql<number> {
  const meta = yield* readMeta()
  if (meta === null) throw new Error('a ledger that was opened says which one it is')
  if (meta.home === home) return meta.incarnation // another process was first
  const incarnation = meta.incarnation + 1
  yield* query(
    `update ledger_meta
     set home = $1, incarnation = $2
     where one = 1`,
    [home, incarnation],
  )
  const { stamp } = yield* timeOfCommit(clock)
  const writing = { ledger_id: meta.ledger_id, stamp }
  const body = { incarnation, home }
  yield* appendLedgerEvent(writing, { about: null, type: 'incarnation', actor: program, body })
  return incarnation
}
