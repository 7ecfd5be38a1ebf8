import type { TaskStatus } from '../../core/task.js'

// Words of the SDK's ConversationExecutionStatus and of V0's AgentState.
const STATUSES: ReadonlyMap<string, TaskStatus> = new Map([
  ['idle', 'waiting_input'],
  ['running', 'running'],
  ['paused', 'suspended'],
  ['waiting_for_confirmation', 'waiting_approval'],
  ['finished', 'completed'],
  ['error', 'failed'],
  // It stopped itself and can be told to go on: nothing has failed.
  ['stuck', 'suspended'],
  ['deleting', 'cancelled'],
  ['loading', 'running'],
  ['init', 'waiting_input'],
  ['awaiting_user_input', 'waiting_input'],
  ['awaiting_user_confirmation', 'waiting_approval'],
  ['user_confirmed', 'running'],
  ['user_rejected', 'running'],
  ['rate_limited', 'running'],
  ['rejected', 'failed'],
  ['stopped', 'cancelled'],
])

/** A word that is not known says nothing: the task counts as running, and its word stands beside it. */
export function taskStatusOf(word: string | null): TaskStatus {
  return STATUSES.get(word ?? 'running') ?? 'running'
}

/** Nothing of the conversation runs any more, by its own word. */
export function hasStopped(word: string | null): boolean {
  return ['suspended', 'completed', 'failed', 'cancelled'].includes(taskStatusOf(word))
}
