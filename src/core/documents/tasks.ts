import type { OperationStatus } from '../operation.js'
import type { Task, TaskStatus } from '../task.js'
import { isoOrNull } from './parts.js'

/** The body of `tasks@1`. */
export interface TasksDocument {
  readonly tasks: readonly TaskItem[]
  /** rows that a limit left out */
  readonly left_out: number
}

export interface TaskItem {
  readonly task_id: string
  /** as whoever opened it worded it */
  readonly goal: string | null
  readonly status: TaskStatus
  readonly agent: string | null
  readonly counts: TaskCounts
  /** when the oldest operation in doubt was written down */
  readonly oldest_in_doubt_at: string | null
  readonly taken_over_by: string | null
  readonly parent_task_id: string | null
}

/** Operations by status; those in doubt are among them. */
export interface TaskCounts extends Readonly<Record<OperationStatus, number>> {
  readonly in_doubt: number
}

export const TASK_FIELDS = [
  'task_id',
  'goal',
  'status',
  'agent',
  'counts',
  'oldest_in_doubt_at',
  'taken_over_by',
  'parent_task_id',
] as const satisfies readonly (keyof TaskItem)[]

export interface TaskView {
  readonly task: Task
  readonly counts: Readonly<Record<OperationStatus, number>>
  readonly in_doubt: number
  readonly oldest_in_doubt_at: number | null
}

export function taskItem({ task, counts, in_doubt, oldest_in_doubt_at }: TaskView): TaskItem {
  return {
    task_id: task.task_id,
    goal: task.goal,
    status: task.status,
    agent: task.agent,
    counts: { ...counts, in_doubt },
    oldest_in_doubt_at: isoOrNull(oldest_in_doubt_at),
    taken_over_by: task.taken_over_by,
    parent_task_id: task.parent_task_id,
  }
}
