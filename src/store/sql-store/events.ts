import { LedgerError } from '../../core/errors.js'
import type { Stamp } from '../../core/time.js'
import { bytes, number } from '../cells.js'
import { type ChainSubject, linkHash } from '../chain.js'
import { later, lock, type Query, query, type Sql } from '../engine.js'

/** An event as it is to be written: its place in the chain follows from what is there. */
export interface EventToAppend {
  readonly subject: Exclude<ChainSubject, 'evidence'>
  readonly subject_id: string
  /** one more than the number of the subject's events so far */
  readonly n: number
  readonly about?: string | null
  readonly type: string
  readonly decision_id?: string | null
  readonly actor: string
  readonly body: object
}

/** Where and when a commit writes. */
export interface Writing {
  readonly ledger_id: string
  readonly stamp: Stamp
}

/** Appends one event to its subject's chain. */
export function* appendEvent(writing: Writing, event: EventToAppend): Sql<void> {
  const prev = event.n === 1 ? null : yield* hashBefore(event)
  yield* later([chainEvent(writing, event, prev).insertion])
}

/** An event with its place in the chain, as the query that writes it; `prev` is null for the first. */
export function chainEvent(
  { ledger_id, stamp: { at, boot_id, boot_ms } }: Writing,
  event: EventToAppend,
  prev: Buffer | null,
): { readonly insertion: Query; readonly hash: Buffer } {
  const { subject, subject_id, n, type, actor, about = null, decision_id = null } = event
  const body = JSON.stringify(event.body)
  const hash = linkHash({
    ledger_id,
    subject,
    subject_id,
    n,
    type,
    at,
    actor,
    event: { about, decision_id, boot_id, boot_ms },
    body,
    prev,
  })
  const params = [subject, subject_id, n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash]
  return { insertion: { text: INSERT, params }, hash }
}

const INSERT = `
insert into ledger_event (
  subject, subject_id, n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

function* hashBefore({ subject, subject_id, n }: EventToAppend): Sql<Buffer> {
  const [row] = yield* query(
    `select hash
     from ledger_event
     where subject = $1 and subject_id = $2 and n = $3`,
    [subject, subject_id, n - 1],
  )
  if (!row)
    throw new LedgerError(
      'ledger_damaged',
      `event ${n - 1} of ${subject} ${subject_id} is not there, though its row counts it`,
      { id: subject_id, hint: '`agent-ledger verify` names all that does not fit; nothing was changed.' },
    )
  return bytes(row, 'hash')
}

/** How many events a subject has. */
export function* countEvents(subject: string, subject_id: string): Sql<number> {
  const [row] = yield* query(
    `select coalesce(max(n), 0) as n
     from ledger_event
     where subject = $1 and subject_id = $2`,
    [subject, subject_id],
  )
  return row ? number(row, 'n') : 0
}

/** An event of the ledger itself, which moves no version: a refused decision, an import, a defer. */
export function* appendLedgerEvent(
  writing: Writing,
  event: Pick<EventToAppend, 'about' | 'type' | 'actor' | 'body'>,
): Sql<void> {
  const subject_id = writing.ledger_id
  yield* lock({ kind: 'ledger', name: subject_id })
  const n = (yield* countEvents('ledger', subject_id)) + 1
  yield* appendEvent(writing, { subject: 'ledger', subject_id, n, ...event })
}
