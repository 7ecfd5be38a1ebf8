import type { JsonObject, JsonValue } from './json.js'

/** The reasons for a pause are statuses of their own, because each is resumed by something else. */
export const TASK_STATUSES = [
  'running',
  'waiting_input',
  'waiting_approval',
  'budget_exhausted',
  'cancel_requested',
  'cancelled',
  'suspended',
  'completed',
  'failed',
] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

export const CLOSED_TASK_STATUSES = ['cancelled', 'completed', 'failed'] as const

export function isTaskClosed(status: TaskStatus): boolean {
  return (CLOSED_TASK_STATUSES as readonly TaskStatus[]).includes(status)
}

/** Where the framework that runs this task keeps its checkpoint. */
export interface ThreadRef {
  /** `langgraph`, `temporal`, … */
  readonly source: string
  /** path or URL of the checkpoint store */
  readonly uri: string
  readonly thread_id: string
  readonly namespace?: string
}

/** One row of `ledger_task`: one run of an agent toward a goal. */
export interface Task {
  readonly task_id: string
  readonly parent_task_id: string | null
  readonly goal: string | null
  readonly status: TaskStatus
  /** why it is paused or how it ended, in the words of whoever set it */
  readonly status_reason: string | null
  readonly agent: string | null
  readonly thread: ThreadRef | null
  readonly workspace: string | null
  readonly links: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly deadline_at: number | null
  readonly budget: JsonObject | null
  readonly heartbeat_at: number | null
  readonly activity_at: number | null
  readonly progress_at: number | null
  /** the evidence of the last progress; the same told again is no progress */
  readonly progress: JsonValue | null
  /** actions that were told of */
  readonly steps: number
  /** what they cost, in the unit in which they were told */
  readonly cost: number
  /** a notice was given: until then, and until it is lifted, nothing but reads is newly sent */
  readonly grace_until: number | null
  readonly grace_reason: string | null
  readonly taken_over_by: string | null
  readonly taken_over_at: number | null
  /** raised by takeover; an executor that claimed an older one sends nothing any more */
  readonly epoch: number
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
  readonly closed_at: number | null
}

/** By its id: what is read of another system's task is called `<source>:<their id>`. */
export function isImportedTask({ task_id, thread }: Pick<Task, 'task_id' | 'thread'>): boolean {
  return thread !== null && task_id.startsWith(`${thread.source}:`)
}
