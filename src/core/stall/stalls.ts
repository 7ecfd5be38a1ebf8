import { isSettled } from '../operation.js'
import type { OperationSubject, Stall, StallRule, TaskSubject } from './rule.js'
import { attemptOverdue } from './rules/attempt-overdue.js'
import { deadlinePassed, taskDeadlinePassed } from './rules/deadline-passed.js'
import { duplicateWrites } from './rules/duplicate-writes.js'
import { heartbeatLost, taskHeartbeatLost } from './rules/heartbeat-lost.js'
import { neverSent } from './rules/never-sent.js'
import { overlappingAttempts } from './rules/overlapping-attempts.js'
import { retryOverdue } from './rules/retry-overdue.js'
import { silenceOf } from './silence.js'

/** Rules about standing still; a silence answers them. */
const ABOUT_TIME: readonly StallRule<OperationSubject>[] = [
  heartbeatLost,
  attemptOverdue,
  deadlinePassed,
  retryOverdue,
  neverSent,
]

/** Rules about facts that no wait explains. */
const ABOUT_FACTS: readonly StallRule<OperationSubject>[] = [overlappingAttempts, duplicateWrites]

/** Every rule that needs columns alone, in the order documents list them. */
export const STALL_RULES: readonly StallRule<OperationSubject>[] = [...ABOUT_TIME, ...ABOUT_FACTS]

export const TASK_STALL_RULES: readonly StallRule<TaskSubject>[] = [taskHeartbeatLost, taskDeadlinePassed]

/** By which rules an operation is stalled. Pure: the same row and the same moment give the same answer. */
export function stallsOf(subject: OperationSubject): readonly Stall[] {
  const { operation } = subject
  if (isSettled(operation.status)) return operation.same_as === null ? NONE : found(ABOUT_FACTS, subject)
  return found(silenceOf(subject) === undefined ? STALL_RULES : ABOUT_FACTS, subject)
}

/** By which rules a task is stalled, whatever its operations do. */
export function taskStallsOf(subject: TaskSubject): readonly Stall[] {
  return found(TASK_STALL_RULES, subject)
}

// Most rows of a long list are settled and have none: they share one.
const NONE: readonly Stall[] = []

function found<Subject>(rules: readonly StallRule<Subject>[], subject: Subject): readonly Stall[] {
  return rules.flatMap(rule => {
    const finding = rule.check(subject)
    return finding === null ? [] : [{ rule: rule.id, ...finding }]
  })
}
