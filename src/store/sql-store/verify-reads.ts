import type { Task } from '../../core/task.js'
import { bytes, bytesOrNull, number, numberOrNull, text, textOrNull } from '../cells.js'
import { OPERATIONS, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { operationOf, taskOf } from '../rows.js'
import type { EventLink, StoredLink } from '../verify/links.js'
import type { OperationBundle } from '../verify/operation.js'
import { approvalsOfOperation } from './approvals.js'
import { evidenceType } from './evidence.js'
import { externalIdsOfOperation } from './external-ids.js'
import { attemptsOfOperation } from './operations.js'
import { saidAbout } from './said-about.js'

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
  const bundles: OperationBundle[] = []
  const starts = yield* incarnationStarts()
  for (const row of rows) bundles.push(yield* bundleOf(row, starts))
  return { bundles, last: lastSeq(rows) }
}

/** The same of one operation. */
export function* operationBundle(operation_id: string): Sql<OperationBundle | null> {
  const [row] = yield* query(
    `select seq, ${OPERATIONS.list}, evidence_head, incarnation
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  return row ? yield* bundleOf(row, yield* incarnationStarts()) : null
}

function* bundleOf(row: Row, starts: readonly number[]): Sql<OperationBundle> {
  const operation = operationOf(row)
  const id = operation.operation_id
  return {
    operation,
    input: text(row, 'input'),
    evidence_head: bytesOrNull(row, 'evidence_head'),
    attempts: yield* attemptsOfOperation(id),
    events: yield* eventsOfSubject('operation', id),
    evidence: yield* evidenceLinks(id),
    external_ids: yield* externalIdsOfOperation(id),
    approvals: yield* approvalsOfOperation(id),
    ...(yield* saidAbout(id)),
    incarnation: number(row, 'incarnation'),
    ready_in: yield* readyIn(id, starts),
  }
}

export function* taskPage(
  after: number,
  limit: number,
): Sql<{
  readonly tasks: { readonly task: Task; readonly events: StoredLink[] }[]
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
  const tasks: { task: Task; events: StoredLink[] }[] = []
  for (const row of rows) {
    const task = taskOf(row)
    tasks.push({ task, events: yield* eventsOfSubject('task', task.task_id) })
  }
  return { tasks, last: lastSeq(rows) }
}

function lastSeq(rows: readonly Row[]): number | null {
  const last = rows.at(-1)
  return last ? number(last, 'seq') : null
}

function* eventsOfSubject(subject: string, subject_id: string): Sql<EventLink[]> {
  const rows = yield* query(
    `select n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
     from ledger_event
     where subject = $1 and subject_id = $2
     order by n`,
    [subject, subject_id],
  )
  return rows.map(eventLinkOf)
}

function eventLinkOf(row: Row): EventLink {
  const event = {
    about: textOrNull(row, 'about'),
    decision_id: textOrNull(row, 'decision_id'),
    boot_id: text(row, 'boot_id'),
    boot_ms: number(row, 'boot_ms'),
  }
  return { ...linkOf(row, text(row, 'type')), event }
}

function* evidenceLinks(operation_id: string): Sql<StoredLink[]> {
  const rows = yield* query(
    `select n, kind, origin, attempt, at, actor, body, hash
     from ledger_evidence
     where operation_id = $1
     order by n`,
    [operation_id],
  )
  return rows.map(row =>
    linkOf(row, evidenceType(text(row, 'kind'), text(row, 'origin'), numberOrNull(row, 'attempt'))),
  )
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
function* readyIn(operation_id: string, starts: readonly number[]): Sql<number | null> {
  if (starts.length < 2) return starts.length === 0 ? null : 1
  const [row] = yield* query(
    `select max(seq) as seq
     from ledger_event
     where subject = 'operation'
       and subject_id = $1
       and type in ('prepare', 'allow_retry', 'rerun', 'schedule_retry')`,
    [operation_id],
  )
  const seq = row ? numberOrNull(row, 'seq') : null
  return seq === null ? null : starts.filter(start => start < seq).length
}

/** A page of the ledger's own chain. */
export function* ledgerEvents(ledger_id: string, after: number, limit: number): Sql<EventLink[]> {
  const rows = yield* query(
    `select n, about, type, decision_id, at, boot_id, boot_ms, actor, body, hash
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
