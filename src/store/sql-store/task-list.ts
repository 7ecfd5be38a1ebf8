import { OPERATION_STATUSES, type OperationStatus } from '../../core/operation.js'
import type { Task } from '../../core/task.js'
import { number, numberOrNull, word } from '../cells.js'
import { TASKS } from '../columns.js'
import { query, type Sql } from '../engine.js'
import { taskOf } from '../rows.js'
import type { TaskPage, TaskQuery, TaskSummary } from '../store.js'
import { branchesOf } from './list-branches.js'
import { Params } from './params.js'

/** Tasks, those that need a person first: with something in doubt, the oldest doubt first, then the newest task. */
export function* tasks(asked: TaskQuery): Sql<TaskPage> {
  const params = new Params()
  const inDoubt = branchesOf(
    { ...asked, scope: 'in_doubt', sort: 'age', limit: null, position: null, sinceSeq: null },
    params,
  )
  const scope = asked.scope === 'all' ? ALL : OPEN
  const doubt = `
with doubt as (
  select o.task_id, count(*) as in_doubt, min(o.created_at) as oldest_in_doubt_at
  from (${inDoubt.join('\nunion all\n')}) as found
  join ledger_operation as o using (seq)
  group by o.task_id
)`
  const rows = yield* query(
    `${doubt}
     select ${TASKS.list}, coalesce(in_doubt, 0) as in_doubt, oldest_in_doubt_at
     from ledger_task
     left join doubt using (task_id)
     ${scope}
     order by coalesce(in_doubt, 0) = 0, oldest_in_doubt_at, seq desc
     ${asked.limit === null ? '' : `limit ${params.add(asked.limit + 1)}`}`,
    params.values,
  )
  const shown = asked.limit === null ? rows : rows.slice(0, asked.limit)
  const summaries: TaskSummary[] = []
  for (const row of shown) {
    const task = taskOf(row)
    summaries.push({
      task,
      counts: yield* countsOfTask(task.task_id),
      in_doubt: number(row, 'in_doubt'),
      oldest_in_doubt_at: numberOrNull(row, 'oldest_in_doubt_at'),
    })
  }
  return {
    tasks: summaries,
    left_out: shown.length === rows.length ? 0 : yield* countLeftOut(scope, shown.length),
  }
}

/** Open tasks alone, in the order in which they were opened: no operation of theirs is counted. */
export function* openTasks(): Sql<Task[]> {
  const rows = yield* query(
    `select ${TASKS.list}
     from ledger_task
     ${OPEN}
     order by seq`,
  )
  return rows.map(taskOf)
}

const ALL = ''

/** Not closed, or closed with an operation that is not settled. */
const OPEN = `where task_id in (
       select task_id from ledger_task indexed by task_open where closed_at is null
       union
       select task_id
       from ledger_operation indexed by operation_open
       where status in ('prepared', 'in_flight', 'unknown')
     )`

function* countLeftOut(scope: string, shown: number): Sql<number> {
  const [row] = yield* query(`select count(*) as n from ledger_task ${scope}`)
  return (row ? number(row, 'n') : shown) - shown
}

function* countsOfTask(task_id: string): Sql<Record<OperationStatus, number>> {
  const rows = yield* query(
    `select status, count(*) as n
     from ledger_operation indexed by operation_of_task
     where task_id = $1
     group by status
     order by status`,
    [task_id],
  )
  const counted: Record<OperationStatus, number> = {
    prepared: 0,
    in_flight: 0,
    confirmed: 0,
    not_executed: 0,
    unknown: 0,
    cancelled: 0,
    abandoned: 0,
  }
  for (const row of rows) counted[word(row, 'status', OPERATION_STATUSES)] = number(row, 'n')
  return counted
}

export function* childrenOf(task_id: string): Sql<Task[]> {
  const rows = yield* query(
    `select ${TASKS.list}
     from ledger_task indexed by task_children
     where parent_task_id = $1
     order by seq`,
    [task_id],
  )
  return rows.map(taskOf)
}

export function* tasksWithThread(): Sql<Task[]> {
  const rows = yield* query(
    `select ${TASKS.list}
     from ledger_task
     where thread is not null
     order by seq`,
  )
  return rows.map(taskOf)
}
