import { ledgerCommand } from './shell-word.js'
import type { Task, TaskStatus } from './task.js'

/** A reason for which a task does not run, and what lets it run again. */
export interface Pause {
  readonly status: TaskStatus
  readonly title: string
  /** who ends it, and how */
  readonly resumes: string
  /** a line to type, where a person ends it here */
  readonly command: (taskId: string) => string | null
}

/** Every status in which a task is open and sends nothing. Each is ended by something else. */
export const PAUSES: readonly Pause[] = [
  {
    status: 'waiting_input',
    title: 'it waits for input',
    resumes: 'the answer is given where the agent asked; its run then sets it to running',
    command: () => null,
  },
  {
    status: 'waiting_approval',
    title: 'it waits for an approval',
    resumes: 'what it asks leave for is approved or denied; its run then sets it to running',
    command: taskId => ledgerCommand('list', [`--task=${taskId}`]),
  },
  {
    status: 'budget_exhausted',
    title: 'its budget is spent',
    resumes:
      'a person grants an attempt beyond it (allow-retry), or its run opens it with a larger budget and sets it to running',
    command: taskId => ledgerCommand('list', [`--task=${taskId}`, '--all']),
  },
  {
    status: 'suspended',
    title: 'it is suspended',
    resumes: 'a person hands it back; the run that was fenced off stays so, and a new one goes on',
    command: taskId => ledgerCommand('handback', ['--reason', '…'], taskId),
  },
  {
    status: 'cancel_requested',
    title: 'a cancel was asked',
    resumes: 'nothing: what is in the air is settled, and then it is cancelled; another run is another task',
    command: taskId => ledgerCommand('report', [], taskId),
  },
]

/** Null for a task that runs or is closed. */
export function pauseOf(status: TaskStatus): Pause | null {
  return PAUSES.find(pause => pause.status === status) ?? null
}

/** What documents say of a pause. */
export interface PauseItem {
  readonly status: TaskStatus
  readonly title: string
  readonly resumes: string
  readonly command: string | null
}

export function pauseItem({ status, task_id }: Pick<Task, 'status' | 'task_id'>): PauseItem | null {
  const pause = pauseOf(status)
  if (pause === null) return null
  const { title, resumes, command } = pause
  return { status, title, resumes, command: command(task_id) }
}
