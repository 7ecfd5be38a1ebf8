import type { JsonObject } from '../../core/json.js'
import { bytes, flag, json, number, numberOrNull, text } from '../cells.js'
import { query, type Row, type Sql } from '../engine.js'

/** A seal as the ledger's own chain tells of it. */
export interface SealEvent {
  /** its number in that chain */
  readonly n: number
  readonly seq: number
  readonly at: number
  readonly actor: string
  readonly said: Sealed
}

/** The body of such an event. Hashes are base64. */
export interface Sealed extends JsonObject {
  /** how many events it is over */
  readonly size: number
  /** the last of them in the order of all events */
  readonly until_seq: number
  readonly root: string
  /** the roots of the full subtrees: with them the next seal goes on without reading what was sealed */
  readonly subtrees: readonly string[]
  /** the checkpoint with its signature */
  readonly note: string
}

/** What stands in the ledger's own chain about itself: seals, archives. Few among all its events, so they have their index. */
export function* lastSeal(ledger_id: string): Sql<SealEvent | null> {
  const [row] = yield* query(
    `select n, seq, at, actor, body
     from ledger_event indexed by event_about
     where about = $1 and subject = 'ledger' and type = 'seal'
     order by seq desc
     limit 1`,
    [ledger_id],
  )
  return row ? sealOf(row) : null
}

/** A page of them, oldest first. */
export function* sealsAfter(ledger_id: string, after: number, limit: number): Sql<SealEvent[]> {
  const rows = yield* query(
    `select n, seq, at, actor, body
     from ledger_event indexed by event_about
     where about = $1 and subject = 'ledger' and type = 'seal' and seq > $2
     order by seq
     limit $3`,
    [ledger_id, after, limit],
  )
  return rows.map(sealOf)
}

function sealOf(row: Row): SealEvent {
  return {
    n: number(row, 'n'),
    seq: number(row, 'seq'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
    said: json<Sealed>(row, 'body'),
  }
}

/** One event in the order of all; of one that was archived its hash alone is here. */
export interface Placed {
  readonly seq: number
  /** null: archived */
  readonly at: number | null
  readonly hash: Buffer
}

/** The order of all events, those that were archived too. */
export function* eventOrder(after: number, limit: number): Sql<Placed[]> {
  const rows = yield* query(
    `select seq, at, hash, 0 as is_archived
     from ledger_event
     where seq > $1
     union all
     select event_seq, 0, hash, 1
     from ledger_pruned_event
     where event_seq > $1
     order by 1
     limit $2`,
    [after, limit],
  )
  return rows.map(row => ({
    seq: number(row, 'seq'),
    at: flag(row, 'is_archived') ? null : number(row, 'at'),
    hash: bytes(row, 'hash'),
  }))
}

export function* lastEventSeq(): Sql<number> {
  const [row] = yield* query('select max(seq) as seq from ledger_event')
  return (row ? numberOrNull(row, 'seq') : null) ?? 0
}

/**
 * Transactions of a PostgreSQL database that may have added events which nobody sees yet. Whoever adds one holds this lock
 * before it gets its number, until its end: once all that are named here have ended, nothing can come before a number that
 * was seen earlier.
 */
export function* writersUnderWay(): Sql<string[]> {
  const rows = yield* query(
    `select distinct virtualtransaction as writer
     from pg_locks
     where locktype = 'relation'
       and mode = 'RowExclusiveLock'
       and granted
       and database = (select oid from pg_database where datname = current_database())
       and relation = (select tableoid from ledger_event limit 1)
     order by virtualtransaction`,
  )
  return rows.map(row => text(row, 'writer'))
}
