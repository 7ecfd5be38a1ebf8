import type { NoteParts, OperationParts, PhaseParts } from '../../core/exporting/lines.js'
import type { Task } from '../../core/task.js'
import { number } from '../cells.js'
import { OPERATIONS, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { noteOf, operationOf, taskOf } from '../rows.js'
import { evidenceOfOperation } from './evidence.js'
import { externalIdsOfOperation } from './external-ids.js'
import { attemptsOfOperation } from './operations.js'
import { phasesOfTask } from './phases.js'

// What `export` reads, in pages, each page one snapshot. `task_id` null: of the whole ledger.

export interface Page<T> {
  readonly items: readonly T[]
  /** where the next page begins; null at the end */
  readonly next: number | null
}

export interface PageAsked {
  readonly task_id: string | null
  readonly after: number
  readonly limit: number
}

export function* exportTasks({ task_id, after, limit }: PageAsked): Sql<Page<Task>> {
  const rows = yield* query(
    `select seq, ${TASKS.list}
     from ledger_task
     where seq > $1 and coalesce($2, task_id) = task_id
     order by seq
     limit $3`,
    [after, task_id, limit],
  )
  return { items: rows.map(taskOf), next: nextOf(rows, 'seq', limit) }
}

export function* exportOperations({ task_id, after, limit }: PageAsked): Sql<Page<OperationParts>> {
  // Of one task its index leads to the rows; of all of them their own order does.
  const rows = yield* task_id === null
    ? query(
        `select seq, ${OPERATIONS.list}
         from ledger_operation
         where seq > $1
         order by seq
         limit $2`,
        [after, limit],
      )
    : query(
        `select seq, ${OPERATIONS.list}
         from ledger_operation indexed by operation_of_task
         where task_id = $1 and seq > $2
         order by seq
         limit $3`,
        [task_id, after, limit],
      )
  const items: OperationParts[] = []
  for (const row of rows) {
    const operation = operationOf(row)
    const id = operation.operation_id
    items.push({
      operation,
      attempts: yield* attemptsOfOperation(id),
      evidence: yield* evidenceOfOperation(id),
      external_ids: yield* externalIdsOfOperation(id),
    })
  }
  return { items, next: nextOf(rows, 'seq', limit) }
}

export function* exportNotes({ task_id, after, limit }: PageAsked): Sql<Page<NoteParts>> {
  const rows = yield* query(
    `select note_id, task_id, operation_id, kind, body, at, actor
     from ledger_note
     where note_id > $1 and coalesce($2, task_id) = task_id
     order by note_id
     limit $3`,
    [after, task_id, limit],
  )
  return { items: rows.map(noteOf), next: nextOf(rows, 'note_id', limit) }
}

/** Phases are few: those of a task are read at once. */
export function* exportPhases(task_id: string): Sql<PhaseParts[]> {
  const phases = yield* phasesOfTask(task_id)
  return phases.map(
    ({
      name,
      input,
      input_revision,
      status,
      artifact,
      artifact_digest,
      based_on,
      result,
      evidence,
      updated_at,
    }) => ({
      task_id,
      name,
      input_revision,
      status,
      artifact,
      artifact_digest,
      own: { input, based_on, result, evidence },
      updated_at,
    }),
  )
}

function nextOf(rows: readonly Row[], name: string, limit: number): number | null {
  const last = rows.at(-1)
  return rows.length < limit || last === undefined ? null : number(last, name)
}
