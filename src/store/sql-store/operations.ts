import type { Attempt } from '../../core/attempt.js'
import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import type { State } from '../../core/transitions/requests.js'
import { bytes, bytesOrNull, flag, number, numberOrNull, partOf, text, textOrNull } from '../cells.js'
import { ATTEMPTS, listOf, OPERATIONS, partList, TASKS } from '../columns.js'
import { query, type Row, type Sql } from '../engine.js'
import { attemptOf, operationOf, taskOf } from '../rows.js'
import { notBefore, stampOf, type Time, timeAfter } from './clock.js'
import type { EvidenceHead } from './evidence.js'

/** An operation as stored, with what its row keeps beside the record. */
export interface Stored extends State {
  /** hash of its last event */
  readonly head: Buffer
  readonly evidence: EvidenceHead
  /** the ledger's incarnation in which it was last made ready to be sent */
  readonly incarnation: number
  readonly has_approvals: boolean
  readonly has_external_ids: boolean
}

const COLUMNS = `
  ${listOf(OPERATIONS, 'o')},
  o.evidence_head,
  o.incarnation,
  (
    select hash
    from ledger_event
    where subject = 'operation' and subject_id = o.operation_id and n = o.version
  ) as head,
  exists (select 1 from ledger_approval as a where a.operation_id = o.operation_id) as has_approvals,
  exists (select 1 from ledger_external_ref as r where r.operation_id = o.operation_id) as has_external_ids`

const STORED = `
select ${COLUMNS}
from ledger_operation as o
where o.operation_id = $1`

// One statement for what every change begins with: each one more costs as much as the rows it brings. Most
// operations have one attempt, and the newest comes along.
const OPENING = `
select
  last.at as last_at,
  last.boot_id as last_boot_id,
  last.boot_ms as last_boot_ms,
  ${COLUMNS},
  ${partList(TASKS, 'task')},
  ${partList(ATTEMPTS, 'newest')}
from (select at, boot_id, boot_ms from ledger_event order by seq desc limit 1) as last
left join ledger_operation as o on o.operation_id = $1
left join ledger_task as task on task.task_id = coalesce(o.task_id, $2)
left join ledger_attempt as newest on newest.operation_id = o.operation_id and newest.n = o.attempt`

export function* readStored(operation_id: string): Sql<Stored | null> {
  const [row] = yield { text: STORED, params: [operation_id] }
  return row ? storedOf(row, yield* attemptsOfOperation(operation_id)) : null
}

export interface Opening {
  /** the time of this commit */
  readonly time: Time
  readonly stored: Stored | null
  /** the operation's task, or the one that is named where there is no operation yet; null where nobody opened it */
  readonly task: Task | null
}

/** What every change begins with. */
export function* readOpening(operation_id: string, task_id: string | null, now: Stamp): Sql<Opening> {
  const [row] = yield { text: OPENING, params: [operation_id, task_id] }
  if (!row) return { time: timeAfter(null, now), stored: null, task: null }
  const task = partOf(row, 'task')
  const attempt = numberOrNull(row, 'attempt')
  const stored = attempt === null ? null : storedOf(row, yield* attemptsOf(row, attempt))
  const opened = textOrNull(task, 'task_id') === null ? null : taskOf(task)
  const time = timeAfter(stampOf(row, 'last_'), now)
  return {
    time: notBefore(time, stored?.operation.updated_at ?? 0, opened?.updated_at ?? 0),
    stored,
    task: opened,
  }
}

function* attemptsOf(row: Row, attempt: number): Sql<Attempt[]> {
  if (attempt === 0) return []
  return attempt === 1
    ? [attemptOf(partOf(row, 'newest'))]
    : yield* attemptsOfOperation(text(row, 'operation_id'))
}

function storedOf(row: Row, attempts: readonly Attempt[]): Stored {
  const operation = operationOf(row)
  return {
    operation,
    attempts,
    head: bytes(row, 'head'),
    evidence: { count: operation.evidence_count, head: bytesOrNull(row, 'evidence_head') },
    incarnation: number(row, 'incarnation'),
    has_approvals: flag(row, 'has_approvals'),
    has_external_ids: flag(row, 'has_external_ids'),
  }
}

export function* attemptsOfOperation(operation_id: string): Sql<Attempt[]> {
  const rows = yield* query(ATTEMPTS_OF, [operation_id])
  return rows.map(attemptOf)
}

const ATTEMPTS_OF = `
select ${ATTEMPTS.list}
from ledger_attempt
where operation_id = $1
order by n`
