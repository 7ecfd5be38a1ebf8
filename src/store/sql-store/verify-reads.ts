import type { Task } from '../../core/task.js'
import { bytes, bytesOrNull, number, numberOrNull, text, textOrNull } from '../cells.js'
import { ATTEMPTS, OPERATIONS, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { approvalOf, attemptOf, operationOf, taskOf } from '../rows.js'
import type { EventLink, StoredLink } from '../verify/links.js'
import type { OperationBundle } from '../verify/operation.js'
import { APPROVALS_OF } from './approvals.js'
import { evidenceType } from './evidence.js'
import { externalIdsOf } from './external-ids.js'
import { rowsOfMany } from './rows-of-many.js'
import { SAID_ABOUT, saidIn } from './said-about.js'

// What `verify` reads: everything, in pages, each page one snapshot.

export function* operationBundles(
  after: number,
  limit: number,
): Sql<{ readonly bundles: OperationBundle[]; readonly last: number | null }> {
  const rows = yield* query(
    `select seq, ${OPERATIONS.list}, evidence_head, incarnation
     from ledger_operation
     where seq > $1
     order by seq
     limit $2`,
    [after, limit],
  )
  return { bundles: yield* bundlesOf(rows), last: lastSeq(rows) }
}

/** The same of one operation. */
export function* operationBundle(operation_id: string): Sql<OperationBundle | null> {
  const rows = yield* query(
    `select seq, ${OPERATIONS.list}, evidence_head, incarnation
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  const [bundle] = yield* bundlesOf(rows)
  return bundle ?? null
}

/** What stands beside a page is read for all of it at once: a server may be far. */
function* bundlesOf(rows: readonly Row[]): Sql<OperationBundle[]> {
  if (rows.length === 0) return []
  const operations = rows.map(row => ({ row, operation: operationOf(row) }))
  const ids = operations.map(({ operation }) => operation.operation_id)
  const starts = yield* incarnationStarts()
  const attempts = yield* rowsOfMany(ATTEMPTS_OF, ids)
  const events = yield* rowsOfMany(eventsOf('operation'), ids)
  const evidence = yield* rowsOfMany(EVIDENCE_OF, ids)
  const external_ids = yield* externalIdsOf(ids)
  const approvals = yield* rowsOfMany(APPROVALS_OF, ids)
  const said = yield* rowsOfMany(SAID_ABOUT, ids)
  return operations.map(({ row, operation }) => {
    const id = operation.operation_id
    return {
      operation,
      input: text(row, 'input'),
      evidence_head: bytesOrNull(row, 'evidence_head'),
      attempts: attempts.of(id).map(attemptOf),
      events: events.of(id).map(eventLinkOf),
      evidence: evidence.of(id).map(evidenceLinkOf),
      external_ids: external_ids.get(id) ?? [],
      approvals: approvals.of(id).map(approvalOf),
      ...saidIn(said.of(id)),
      incarnation: number(row, 'incarnation'),
      ready_in: readyIn(events.of(id), starts),
    }
  })
}

export function* taskPage(
  after: number,
  limit: number,
): Sql<{
  readonly tasks: { readonly task: Task; readonly events: EventLink[] }[]
  readonly last: number | null
}> {
  const rows = yield* query(
    `select seq, ${TASKS.list}
     from ledger_task
     where seq > $1
     order by seq
     limit $2`,
    [after, limit],
  )
  const tasks = rows.map(taskOf)
  const ids = tasks.map(({ task_id }) => task_id)
  const events = yield* rowsOfMany(eventsOf('task'), ids)
  return {
    tasks: tasks.map(task => ({ task, events: events.of(task.task_id).map(eventLinkOf) })),
    last: lastSeq(rows),
  }
}

function lastSeq(rows: readonly Row[]): number | null {
  const last = rows.at(-1)
  return last ? number(last, 'seq') : null
}

// json_each: one text for any number of ids (PostgreSQL says it otherwise)
const ATTEMPTS_OF = `
select operation_id as of_id, ${ATTEMPTS.list}
from ledger_attempt
where operation_id in (select value from json_each($1))
order by operation_id, n`

function eventsOf(subject: 'operation' | 'task'): string {
  return `
select subject_id as of_id, seq, n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
from ledger_event
where subject = '${subject}' and subject_id in (select value from json_each($1))
order by subject_id, n`
}

const EVIDENCE_OF = `
select operation_id as of_id, n, kind, origin, attempt, at, actor, body, hash
from ledger_evidence
where operation_id in (select value from json_each($1))
order by operation_id, n`

function eventLinkOf(row: Row): EventLink {
  const event = {
    about: textOrNull(row, 'about'),
    decision_id: textOrNull(row, 'decision_id'),
    boot_id: text(row, 'boot_id'),
    boot_ms: number(row, 'boot_ms'),
  }
  return { ...linkOf(row, text(row, 'type')), seq: number(row, 'seq'), event }
}

function evidenceLinkOf(row: Row): StoredLink {
  return linkOf(row, evidenceType(text(row, 'kind'), text(row, 'origin'), numberOrNull(row, 'attempt')))
}

function linkOf(row: Row, type: string): StoredLink {
  return {
    n: number(row, 'n'),
    type,
    at: number(row, 'at'),
    actor: text(row, 'actor'),
    body: text(row, 'body'),
    hash: bytes(row, 'hash'),
  }
}

/** Where the ledger's own events say that an incarnation began: places in the order of all events. */
function* incarnationStarts(): Sql<number[]> {
  const rows = yield* query(
    `select seq
     from ledger_event
     where subject = 'ledger' and type in ('created', 'incarnation')
     order by seq`,
    [],
  )
  return rows.map(row => number(row, 'seq'))
}

/** The incarnation in which it was last made ready to be sent, by its events; null where they do not say. */
function readyIn(events: readonly Row[], starts: readonly number[]): number | null {
  if (starts.length < 2) return starts.length === 0 ? null : 1
  const made = events.filter(row => READY.has(text(row, 'type'))).map(row => number(row, 'seq'))
  return made.length === 0 ? null : starts.filter(start => start < Math.max(...made)).length
}

const READY: ReadonlySet<string> = new Set(['prepare', 'allow_retry', 'rerun', 'schedule_retry'])

/** A page of the ledger's own chain. */
export function* ledgerEvents(ledger_id: string, after: number, limit: number): Sql<EventLink[]> {
  const rows = yield* query(
    `select seq, n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
     from ledger_event
     where subject = 'ledger' and subject_id = $1 and n > $2
     order by n
     limit $3`,
    [ledger_id, after, limit],
  )
  return rows.map(eventLinkOf)
}

export interface Orphan {
  readonly subject: 'operation' | 'task'
  readonly id: string
}

/** Subjects of events or of evidence that have no row. */
export function* orphans(ledger_id: string, limit: number): Sql<Orphan[]> {
  const rows = yield* query(
    `select 'operation' as subject, subject_id as id
     from ledger_event
     where subject = 'operation'
       and not exists (select 1 from ledger_operation where operation_id = subject_id)
     union
     select 'operation', operation_id
     from ledger_evidence
     where not exists (
       select 1 from ledger_operation where ledger_operation.operation_id = ledger_evidence.operation_id
     )
     union
     select 'task', subject_id
     from ledger_event
     where subject = 'task' and not exists (select 1 from ledger_task where task_id = subject_id)
     union
     select 'ledger', subject_id
     from ledger_event
     where subject = 'ledger' and subject_id <> $1
     limit $2`,
    [ledger_id, limit],
  )
  return rows.map(row => ({
    subject: text(row, 'subject') === 'task' ? 'task' : 'operation',
    id: text(row, 'id'),
  }))
}

export interface StoredNote {
  readonly note_id: number
  readonly task_id: string
  readonly operation_id: string | null
  readonly kind: string
  readonly body: string
  readonly at: number
  readonly actor: string
}

export function* storedNote(note_id: number): Sql<StoredNote | null> {
  const [row] = yield* query(
    `select note_id, task_id, operation_id, kind, body, at, actor
     from ledger_note
     where note_id = $1`,
    [note_id],
  )
  if (!row) return null
  return {
    note_id: number(row, 'note_id'),
    task_id: text(row, 'task_id'),
    operation_id: textOrNull(row, 'operation_id'),
    kind: text(row, 'kind'),
    body: text(row, 'body'),
    at: number(row, 'at'),
    actor: text(row, 'actor'),
  }
}

export function* noteIdsAfter(after: number, limit: number): Sql<number[]> {
  const rows = yield* query(
    `select note_id
     from ledger_note
     where note_id > $1
     order by note_id
     limit $2`,
    [after, limit],
  )
  return rows.map(row => number(row, 'note_id'))
}
