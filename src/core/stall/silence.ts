import { awaitsApproval } from '../approval.js'
import type { TaskStatus } from '../task.js'
import type { OperationSubject } from './rule.js'

/** A reason for which standing still is no trouble. */
export interface Silence {
  readonly id: string
  readonly title: string
  readonly holds: (subject: OperationSubject) => boolean
}

const WAITING: readonly TaskStatus[] = ['waiting_input', 'waiting_approval']
const PAUSED: readonly TaskStatus[] = ['suspended', 'budget_exhausted']

/**
 * While one of these holds, no rule about time speaks. What is in flight runs whatever its task waits for: only a
 * person's deferral or takeover, and a service still inside the patience its contract grants, explain it.
 */
export const SILENCES: readonly Silence[] = [
  {
    id: 'deferred',
    title: 'a person deferred it',
    holds: ({ operation, look }) => operation.defer_until !== null && operation.defer_until > look.now.at,
  },
  {
    id: 'taken_over',
    title: 'a person holds its task',
    holds: ({ task }) => task !== null && task.taken_over_by !== null,
  },
  {
    id: 'remote_in_patience',
    title: 'the service accepted it and its patience has not run out',
    holds: ({ operation, look }) =>
      operation.status === 'in_flight' &&
      operation.lease_owner === 'remote' &&
      operation.lease_expires_at !== null &&
      look.now.at < operation.lease_expires_at,
  },
  {
    id: 'waits_for_approval',
    title: 'it waits for an approval',
    holds: ({ operation, approved_at = null }) => awaitsApproval(operation, approved_at !== null),
  },
  {
    id: 'waits_for_person',
    title: 'its task waits for a person',
    holds: ({ operation, task }) =>
      operation.status === 'prepared' && task !== null && WAITING.includes(task.status),
  },
  {
    id: 'task_paused',
    title: 'its task is paused',
    holds: ({ operation, task }) =>
      operation.status === 'prepared' && task !== null && PAUSED.includes(task.status),
  },
  {
    id: 'retry_in_future',
    title: 'its next attempt is not due yet',
    holds: ({ operation, look }) =>
      operation.status === 'prepared' &&
      operation.next_attempt_at !== null &&
      operation.next_attempt_at > look.now.at,
  },
]

export function silenceOf(subject: OperationSubject): Silence | undefined {
  return SILENCES.find(silence => silence.holds(subject))
}
