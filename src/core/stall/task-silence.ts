import type { TaskSubject } from './rule.js'

/** A reason for which a task that stands still, or goes round, is no trouble. */
export interface TaskSilence {
  readonly id: string
  readonly title: string
  readonly holds: (subject: TaskSubject) => boolean
}

/** While one of these holds, neither the rules about time nor those about loops speak of a task. */
export const TASK_SILENCES: readonly TaskSilence[] = [
  {
    id: 'not_running',
    title: 'it is paused, waits for a person or is closed: its status says for what',
    holds: ({ task }) => task.status !== 'running',
  },
  {
    id: 'taken_over',
    title: 'a person holds it',
    holds: ({ task }) => task.taken_over_by !== null,
  },
  {
    id: 'declared_wait',
    title: 'it said that it waits, and until when',
    holds: ({ recent, look }) => (recent?.actions.at(-1)?.wait_until ?? 0) > look.now.at,
  },
]

export function taskSilenceOf(subject: TaskSubject): TaskSilence | undefined {
  return TASK_SILENCES.find(silence => silence.holds(subject))
}
