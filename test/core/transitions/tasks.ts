import { decideTask, type TaskRequest } from '../../../src/core/transitions/task.js'
import type { TaskContext } from '../../../src/core/transitions/task-decided.js'
import { type aTask, NOON } from '../builders.js'

export const CONTEXT: TaskContext = { actor: 'agent', at: NOON + 5, hasOpenSent: false }

export const HELD = { taken_over_by: 'ana', taken_over_at: NOON }

export function bodyOf(
  task: ReturnType<typeof aTask> | null,
  request: TaskRequest,
  over: Partial<TaskContext> = {},
) {
  const decided = decideTask(task, request, { ...CONTEXT, ...over })
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.body
}

export function refusalOf(task: ReturnType<typeof aTask> | null, request: TaskRequest) {
  const decided = decideTask(task, request, CONTEXT)
  if (decided.ok) throw new Error(`${request.type} was allowed`)
  return decided.refusal
}
