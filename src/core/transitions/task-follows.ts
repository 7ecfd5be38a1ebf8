import type { Task } from '../task.js'
import type { NewEvent } from './events.js'
import type { EventType } from './requests.js'
import type { TaskEventBody } from './task-decided.js'

/** Ends of an attempt after which a retry may follow. Later events carry the flags of the row along. */
const ENDS: ReadonlySet<EventType> = new Set(['reject', 'reject_in_doubt', 'lose'])

/**
 * What the moves of an operation say of its task; null: nothing. Where a retry would follow and only the budget
 * stands against it, the task pauses as `budget_exhausted`; an attempt that a person grants beyond it lets the task
 * run on.
 */
export function taskFollows(task: Task, moves: readonly NewEvent[]): TaskEventBody | null {
  const isGranted = moves.some(({ type }) => type === 'allow_retry')
  if (task.status === 'budget_exhausted' && isGranted)
    return { from: task.status, to: 'running', set: { status_reason: null } }
  if (task.status !== 'running') return null
  const ends = moves.filter(({ type }) => ENDS.has(type))
  const spent = ends.map(({ body }) => body.set?.flags?.budget_spent).find(said => said !== undefined)
  return spent === undefined
    ? null
    : { from: 'running', to: 'budget_exhausted', set: { status_reason: spent }, reason: spent }
}
