import type { Task } from '../../core/task.js'
import { evolveTask } from '../../core/transitions/task.js'
import type { TaskEventBody } from '../../core/transitions/task-decided.js'
import { TASKS } from '../columns.js'
import { later, query, type Sql } from '../engine.js'
import { taskOf } from '../rows.js'
import { appendEvent, type Writing } from './events.js'
import { insertion, updateRecord } from './records.js'

export function* readTask(task_id: string): Sql<Task | null> {
  const [row] = yield* query(
    `select ${TASKS.list}
     from ledger_task
     where task_id = $1`,
    [task_id],
  )
  return row ? taskOf(row) : null
}

export interface TaskMove {
  readonly task_id: string
  /** null: the task is opened by this event */
  readonly before: Task | null
  readonly type: string
  readonly body: TaskEventBody
  readonly actor: string
}

/** Writes a task's event and its row. */
export function* writeTask(writing: Writing, { task_id, before, type, body, actor }: TaskMove): Sql<Task> {
  const after = evolveTask(before, { task_id, at: writing.stamp.at, body })
  if (before === null) {
    yield* later([insertion(TASKS, after)])
  } else {
    const where = { task_id, version: before.version }
    const isWritten = yield* updateRecord(TASKS, { before, after, where })
    if (!isWritten) throw new Error(`task ${task_id} changed inside the commit that holds the lock`)
  }
  yield* appendEvent(writing, { subject: 'task', subject_id: task_id, n: after.version, type, actor, body })
  return after
}
