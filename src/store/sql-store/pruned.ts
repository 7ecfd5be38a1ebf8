import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/json.js'
import type { Intent } from '../../core/operation.js'
import type { Refusal } from '../../core/transitions/requests.js'
import { bytes, digest, number, numberOrNull, text, textOrNull } from '../cells.js'
import { bytesOfDigest } from '../chain.js'
import { query, type Row, type Sql } from '../engine.js'

/** The body of the event that tells of a batch of archived operations in the ledger's own chain. */
export interface Pruned extends JsonObject {
  /** the name of the file, without its folder */
  readonly archive: string
  /** of the whole file */
  readonly archive_digest: string
  readonly operations: number
  readonly events: number
  /** over what stays of the operations, and over the hashes that stay of their events */
  readonly stubs_digest: string
  readonly events_digest: string
}

/** What stays of an archived operation. */
export interface Stub {
  readonly operation_id: string
  readonly task_id: string
  readonly tool: string
  readonly target: string | null
  readonly last_sent_at: number | null
  readonly key_scope: string
  readonly idempotency_key: string
  readonly input_digest: string
  readonly status: string
  readonly settled_at: number
}

/** A hash that stays of an archived event, and its place among all. */
export interface Leaf {
  readonly seq: number
  readonly hash: Buffer
}

export interface Digested {
  readonly count: number
  readonly digest: string
}

/** Stubs in the order of their ids. */
export function digestOfStubs(stubs: readonly Stub[]): Digested {
  const hash = createHash('sha256')
  for (const one of stubs)
    hash.update(
      `${JSON.stringify([
        one.operation_id,
        one.task_id,
        one.tool,
        one.target,
        one.last_sent_at,
        one.key_scope,
        one.idempotency_key,
        one.input_digest,
        one.status,
        one.settled_at,
      ])}\n`,
    )
  return { count: stubs.length, digest: `sha256:${hash.digest('hex')}` }
}

/** Leaves in the order of all events. */
export function digestOfLeaves(leaves: readonly Leaf[]): Digested {
  const hash = createHash('sha256')
  for (const { seq, hash: leaf } of leaves) hash.update(`${seq} ${leaf.toString('hex')}\n`)
  return { count: leaves.length, digest: `sha256:${hash.digest('hex')}` }
}

export function* stubsOf(batch: number): Sql<Digested> {
  const rows = yield* query(
    `select ${STUB}
     from ledger_pruned
     where batch = $1
     order by operation_id`,
    [batch],
  )
  return digestOfStubs(rows.map(stubOf))
}

export function* leavesOf(batch: number): Sql<Digested> {
  const rows = yield* query(
    `select event_seq, hash
     from ledger_pruned_event
     where batch = $1
     order by event_seq`,
    [batch],
  )
  return digestOfLeaves(rows.map(row => ({ seq: number(row, 'event_seq'), hash: bytes(row, 'hash') })))
}

/** Batches that are none of those named, each with one row of it. */
export function* prunedBeside(
  batches: readonly number[],
): Sql<{ readonly batch: number; readonly id: string }[]> {
  const rows = yield* query(
    `select batch, 'operation ' || min(operation_id) as id
     from ledger_pruned
     group by batch
     union all
     select batch, 'event ' || min(event_seq)
     from ledger_pruned_event
     group by batch
     order by 1, 2`,
  )
  const known = new Set(batches)
  return rows
    .map(row => ({ batch: number(row, 'batch'), id: text(row, 'id') }))
    .filter(({ batch }) => !known.has(batch))
}

const STUB =
  'operation_id, task_id, tool, target, last_sent_at, key_scope, idempotency_key, input_digest, status, settled_at'

export function stubOf(row: Row): Stub {
  return {
    operation_id: text(row, 'operation_id'),
    task_id: text(row, 'task_id'),
    tool: text(row, 'tool'),
    target: textOrNull(row, 'target'),
    last_sent_at: numberOrNull(row, 'last_sent_at'),
    key_scope: text(row, 'key_scope'),
    idempotency_key: text(row, 'idempotency_key'),
    input_digest: digest(row, 'input_digest'),
    status: text(row, 'status'),
    settled_at: number(row, 'settled_at'),
  }
}

export function* insertStub(stub: Stub, batch: number): Sql<void> {
  yield* query(
    `insert into ledger_pruned (${STUB}, batch)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      stub.operation_id,
      stub.task_id,
      stub.tool,
      stub.target,
      stub.last_sent_at,
      stub.key_scope,
      stub.idempotency_key,
      bytesOfDigest(stub.input_digest),
      stub.status,
      stub.settled_at,
      batch,
    ],
  )
}

export function* isPruned(operation_id: string): Sql<boolean> {
  const rows = yield* query('select 1 as one from ledger_pruned where operation_id = $1', [operation_id])
  return rows.length > 0
}

/** What is still known of an archived operation, and the name of the file that holds its record. */
export interface ArchivedStub {
  readonly operation_id: string
  readonly status: string
  readonly settled_at: number
  readonly archive: string | null
}

export function* archivedStub(operation_id: string): Sql<ArchivedStub | null> {
  const [row] = yield* query(
    `select ${STUB}, batch
     from ledger_pruned
     where operation_id = $1`,
    [operation_id],
  )
  if (!row) return null
  const { status, settled_at } = stubOf(row)
  return { operation_id, status, settled_at, archive: yield* archiveOf(number(row, 'batch')) }
}

/** How many operations of a task were archived. */
export function* prunedOfTask(task_id: string): Sql<number> {
  const [row] = yield* query('select count(*) as operations from ledger_pruned where task_id = $1', [task_id])
  return row ? number(row, 'operations') : 0
}

/**
 * Why an intent may not be written down: its id or its key is that of an operation that was archived, or its task did this
 * very write before. Nothing that was sent once is sent again because its record is elsewhere.
 */
export function* refusedAsArchived(
  { operation_id, key_scope, idempotency_key, input_digest, task_id, tool }: Intent,
  isAskedAgain: boolean,
): Sql<Refusal | null> {
  const [row] = yield* query(
    `select operation_id, status, archive_of
     from (
       select operation_id, status, batch as archive_of, 1 as place
       from ledger_pruned
       where operation_id = $1
       union all
       select operation_id, status, batch, 2
       from ledger_pruned
       where key_scope = $2 and idempotency_key = $3
       union all
       select operation_id, status, batch, 3
       from ledger_pruned indexed by pruned_same
       where substr(input_digest, 1, 6) = substr($4, 1, 6)
         and task_id = $5
         and tool = $6
         and input_digest = $4
         and status not in ('not_executed', 'cancelled')
     ) as found
     order by place
     limit 1`,
    [operation_id, key_scope, idempotency_key, bytesOfDigest(input_digest), task_id, tool],
  )
  if (!row) return null
  const other = text(row, 'operation_id')
  const archive = yield* archiveOf(number(row, 'archive_of'))
  const place = archive === null ? 'an archive' : `the archive ${archive}`
  if (other === operation_id)
    return {
      rule: 'archived',
      code: 'refused',
      reason: `operation ${other} was archived as ${text(row, 'status')}: its record is in ${place}`,
      satisfy: 'look there (agent-ledger show --from <archive>); another write is another operation',
      other,
    }
  if (isAskedAgain) return null
  return {
    rule: 'archived',
    code: 'refused',
    reason: `its key or its input is that of operation ${other}, archived as ${text(row, 'status')} in ${place}`,
    satisfy: 'look there first; say with `again` why the same is wanted once more, under a key of its own',
    other,
  }
}

function* archiveOf(batch: number): Sql<string | null> {
  const [row] = yield* query(
    `select body
     from ledger_event
     where subject = 'ledger' and type = 'prune' and n = $1
     order by seq
     limit 1`,
    [batch],
  )
  if (!row) return null
  const said: Partial<Pruned> = JSON.parse(text(row, 'body'))
  return said.archive ?? null
}
