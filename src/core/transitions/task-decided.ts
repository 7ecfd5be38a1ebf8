import { actorWords } from '../actor.js'
import type { Task, TaskStatus } from '../task.js'
import type { Refusal } from './requests.js'

export interface TaskContext {
  readonly actor: string
  readonly at: number
  /** after this request some operation of it is still in flight or unknown */
  readonly hasOpenSent: boolean
}

/** What one event of a task says: replaying the bodies of its events in order gives its row. */
export interface TaskEventBody {
  readonly from: TaskStatus | null
  readonly to: TaskStatus
  readonly set: Partial<Omit<Task, 'task_id' | 'status' | 'version' | 'updated_at'>>
  readonly reason?: string
  /** it says nothing of how the task gets on: `updated_at` stays */
  readonly quiet?: true
}

export type TaskDecided =
  /** body null: it is so already, nothing is written */
  | { readonly ok: true; readonly body: TaskEventBody | null }
  | { readonly ok: false; readonly refusal: Refusal }

/** A person holds it, or asked to end it: an executor opens and moves it no more. */
export function heldBack(task: Task, { actor }: TaskContext): Refusal | null {
  if (task.taken_over_by !== null && task.taken_over_by !== actor)
    return {
      rule: 'task_not_taken_over',
      code: 'conflict',
      reason: `task ${task.task_id} was taken over by ${actorWords(task.taken_over_by)}`,
      satisfy: `hand it back first: agent-ledger handback ${task.task_id}`,
    }
  if (task.status === 'cancel_requested' || task.status === 'cancelled')
    return {
      rule: 'no_cancel_asked',
      code: 'refused',
      reason: `task ${task.task_id} is ${task.status}`,
      satisfy: 'another run is another task: open it under its own id',
    }
  return null
}

/** Whether what is said now is other than what was said before. */
export function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}
