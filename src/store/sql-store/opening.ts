import type { Attempt } from '../../core/attempt.js'
import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import { numberOrNull, partOf, text, textOrNull } from '../cells.js'
import { ATTEMPTS, partList, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { attemptOf, taskOf } from '../rows.js'
import type { Change } from '../store.js'
import { notBefore, stampOf, type Time, timeAfter } from './clock.js'
import type { Memory } from './memory.js'
import { attemptsOfOperation, STORED_COLUMNS, type Stored, storedOf } from './operations.js'

// One statement for what every change begins with: each one more costs as much as the rows it brings. Most
// operations have one attempt, and the newest comes along.
const OPENING = `
select
  last.at as last_at,
  last.boot_id as last_boot_id,
  last.boot_ms as last_boot_ms,
  ${STORED_COLUMNS},
  ${partList(TASKS, 'task')},
  ${partList(ATTEMPTS, 'newest')}
from (select at, boot_id, boot_ms from ledger_event order by seq desc limit 1) as last
left join ledger_operation as o on o.operation_id = $1
left join ledger_task as task on task.task_id = coalesce(o.task_id, $2)
left join ledger_attempt as newest on newest.operation_id = o.operation_id and newest.n = o.attempt`

export interface Opening {
  /** when the ledger was last written; null before its first event */
  readonly last: Stamp | null
  readonly stored: Stored | null
  /** the operation's task, or the one that is named where there is no operation yet; null where nobody opened it */
  readonly task: Task | null
}

/** What every change begins with, read where this process's last commits do not say it. */
export function* readOpening(
  memory: Memory,
  { operation_id, task_id: named }: Pick<Change, 'operation_id' | 'task_id'>,
): Sql<Opening> {
  const task_id = named ?? null
  const last = memory.last()
  if (last === null) return yield* readAll(operation_id, task_id)
  const stored = memory.inFlight(operation_id)
  if (stored !== null) {
    const task = memory.task(stored.operation.task_id)
    if (task !== null) return { last, stored, task }
  } else if (task_id !== null) {
    const task = memory.task(task_id)
    if (task !== null && !(yield* isThere(operation_id))) return { last, stored: null, task }
  }
  return yield* readAll(operation_id, task_id)
}

/** The time of the commit: by the clock when all that it rests on is held, and not before what is written. */
export function timeOf({ last, stored, task }: Opening, clock: () => Stamp): Time {
  return notBefore(timeAfter(last, clock()), stored?.operation.updated_at ?? 0, task?.updated_at ?? 0)
}

function* isThere(operation_id: string): Sql<boolean> {
  const rows = yield* query(
    `select 1 as one
     from ledger_operation
     where operation_id = $1`,
    [operation_id],
  )
  return rows.length > 0
}

function* readAll(operation_id: string, task_id: string | null): Sql<Opening> {
  const [row] = yield { text: OPENING, params: [operation_id, task_id] }
  if (!row) return { last: null, stored: null, task: null }
  const task = partOf(row, 'task')
  const attempt = numberOrNull(row, 'attempt')
  const stored = attempt === null ? null : storedOf(row, yield* attemptsOf(row, attempt))
  const opened = textOrNull(task, 'task_id') === null ? null : taskOf(task)
  return { last: stampOf(row, 'last_'), stored, task: opened }
}

function* attemptsOf(row: Row, attempt: number): Sql<Attempt[]> {
  if (attempt === 0) return []
  return attempt === 1
    ? [attemptOf(partOf(row, 'newest'))]
    : yield* attemptsOfOperation(text(row, 'operation_id'))
}
