import { type Candidate, type KeepRuleId, keptBy } from '../../core/retention.js'
import type { Stamp } from '../../core/time.js'
import { bytes, bytesOrNull, flag, number, numberOrNull } from '../cells.js'
import { shown } from '../chain.js'
import { OPERATIONS } from '../columns.js'
import { lock, type Query, query, type Row, type Sql } from '../engine.js'
import { operationOf } from '../rows.js'
import { timeOfCommit } from './clock.js'
import { appendLedgerEvent, countEvents } from './events.js'
import { digestOfLeaves, digestOfStubs, insertStub, isPruned, type Leaf, type Stub } from './pruned.js'

/** An operation that may be archived, or not, with where the next page begins. */
export interface CandidateRow extends Candidate {
  readonly seq: number
  /** `sha256:<hex>` of the last event, which covers all before it */
  readonly head: string
  readonly evidence_head: string | null
}

const CANDIDATE = `
select o.seq, ${OPERATIONS.columns.map(({ quoted }) => `o.${quoted}`).join(', ')}, o.evidence_head,
  (
    select hash from ledger_event where subject = 'operation' and subject_id = o.operation_id and n = o.version
  ) as head,
  t.closed_at as task_closed_at,
  exists (
    select 1 from ledger_operation as p
    where p.task_id = o.task_id and p.status in ('prepared', 'in_flight', 'unknown')
  ) as task_has_open,
  exists (select 1 from ledger_operation as c where c.compensates = o.operation_id) as is_compensated,
  exists (select 1 from ledger_note as w where w.operation_id = o.operation_id) as is_noted,
  exists (
    select 1 from ledger_claim as h
    where h.subject = 'operation' and h.subject_id = o.operation_id and h.until > $1
  ) as is_claimed
from ledger_operation as o
join ledger_task as t on t.task_id = o.task_id`

/** A page of all operations in the order in which they were written down. */
export function* candidatesAfter(after: number, now: number, limit: number): Sql<CandidateRow[]> {
  const rows = yield* query(`${CANDIDATE}\nwhere o.seq > $2\norder by o.seq\nlimit $3`, [now, after, limit])
  return rows.map(candidateOf)
}

function candidateOf(row: Row): CandidateRow {
  const last = bytesOrNull(row, 'evidence_head')
  return {
    seq: number(row, 'seq'),
    operation: operationOf(row),
    head: shown(bytes(row, 'head')),
    evidence_head: last === null ? null : shown(last),
    task_closed_at: numberOrNull(row, 'task_closed_at'),
    task_has_open: flag(row, 'task_has_open'),
    is_compensated: flag(row, 'is_compensated'),
    is_noted: flag(row, 'is_noted'),
    is_claimed: flag(row, 'is_claimed'),
  }
}

/** An operation as the archive holds it: what it was when it was written there. */
export interface Archived {
  readonly operation_id: string
  readonly head: string
  readonly evidence_head: string | null
}

export interface Removing {
  readonly ledger_id: string
  readonly clock: () => Stamp
  readonly actor: string
  readonly settledBefore: number
  readonly archive: string
  readonly archive_digest: string
}

export interface Removed {
  readonly operations: number
  readonly events: number
  /** gone before: an earlier run removed them */
  readonly before: number
  /** not as they are in the archive any more, or kept by a rule by now */
  readonly left: readonly { readonly operation_id: string; readonly why: KeepRuleId | 'changed' }[]
}

/**
 * Removes operations whose whole record is in an archive, in one commit with the event that says so. Each is looked at once
 * more under its lock: what changed since it was archived stays.
 */
export function* removeArchived(removing: Removing, archived: readonly Archived[]): Sql<Removed> {
  const { ledger_id, clock, actor, archive, archive_digest, settledBefore } = removing
  const now = clock()
  const sorted = archived.toSorted((a, b) => (a.operation_id < b.operation_id ? -1 : 1))
  yield* lock(...sorted.map(({ operation_id }) => ({ kind: 'operation', name: operation_id }) as const))
  const stubs: Stub[] = []
  const leaves: Leaf[] = []
  const left: Removed['left'][number][] = []
  let before = 0
  for (const one of sorted) {
    const [row] = yield* query(`${CANDIDATE}\nwhere o.operation_id = $2`, [now.at, one.operation_id])
    if (row === undefined) {
      if (yield* isPruned(one.operation_id)) before++
      else left.push({ operation_id: one.operation_id, why: 'changed' })
      continue
    }
    const candidate = candidateOf(row)
    const isSame = candidate.head === one.head && candidate.evidence_head === one.evidence_head
    const why = isSame ? keptBy(candidate, { settledBefore, now: now.at }) : 'changed'
    if (why !== null) {
      left.push({ operation_id: one.operation_id, why })
      continue
    }
    stubs.push(yield* stubFor(candidate))
    leaves.push(...(yield* leavesFor(one.operation_id)))
  }
  const removed = { operations: stubs.length, events: leaves.length, before, left }
  if (stubs.length === 0) return removed
  leaves.sort((a, b) => a.seq - b.seq)
  yield* lock({ kind: 'ledger', name: ledger_id })
  const batch = (yield* countEvents('ledger', ledger_id)) + 1
  const { stamp } = yield* timeOfCommit(clock)
  const body = {
    archive,
    archive_digest,
    operations: stubs.length,
    events: leaves.length,
    stubs_digest: digestOfStubs(stubs).digest,
    events_digest: digestOfLeaves(leaves).digest,
  }
  // Before anything goes: SQLite would give the number of a last event that is gone to the next one.
  yield* appendLedgerEvent({ ledger_id, stamp }, { about: ledger_id, type: 'prune', actor, body })
  for (const stub of stubs) yield* insertStub(stub, batch)
  for (const { operation_id } of stubs) yield removals(operation_id, batch)
  return removed
}

function* stubFor({ operation }: CandidateRow): Sql<Stub> {
  const { settled_at } = operation
  if (settled_at === null) throw new Error('what is open is kept by the first rule')
  const [row] = yield* query('select max(sent_at) as sent_at from ledger_attempt where operation_id = $1', [
    operation.operation_id,
  ])
  return {
    operation_id: operation.operation_id,
    task_id: operation.task_id,
    tool: operation.tool,
    target: operation.target,
    last_sent_at: row ? numberOrNull(row, 'sent_at') : null,
    key_scope: operation.key_scope,
    idempotency_key: operation.idempotency_key,
    input_digest: operation.input_digest,
    status: operation.status,
    settled_at,
  }
}

function* leavesFor(operation_id: string): Sql<Leaf[]> {
  const rows = yield* query(
    `select seq, hash
     from ledger_event
     where subject = 'operation' and subject_id = $1
     order by n`,
    [operation_id],
  )
  return rows.map(row => ({ seq: number(row, 'seq'), hash: bytes(row, 'hash') }))
}

function removals(operation_id: string, batch: number): Query[] {
  const of = (table: string): Query => ({
    text: `delete from ${table}\nwhere operation_id = $1`,
    params: [operation_id],
  })
  const subject = `where subject = 'operation' and subject_id = $1`
  return [
    {
      text: `insert into ledger_pruned_event (event_seq, hash, batch)
select seq, hash, cast($2 as integer) from ledger_event
${subject}`,
      params: [operation_id, batch],
    },
    of('ledger_attempt'),
    of('ledger_external_ref'),
    of('ledger_approval'),
    of('ledger_evidence'),
    { text: `delete from ledger_notice\n${subject}`, params: [operation_id] },
    { text: `delete from ledger_claim\n${subject}`, params: [operation_id] },
    { text: `delete from ledger_event\n${subject}`, params: [operation_id] },
    of('ledger_operation'),
  ]
}
