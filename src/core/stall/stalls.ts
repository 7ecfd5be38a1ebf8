import { isSettled } from '../operation.js'
import type { OperationSubject, Stall, StallRule, TaskSubject } from './rule.js'
import { attemptOverdue } from './rules/attempt-overdue.js'
import { budgetSpent } from './rules/budget-spent.js'
import { deadlinePassed, taskDeadlinePassed } from './rules/deadline-passed.js'
import { duplicateWrites } from './rules/duplicate-writes.js'
import { evidenceExpires } from './rules/evidence-expires.js'
import { heartbeatLost, taskHeartbeatLost } from './rules/heartbeat-lost.js'
import { loopAlternating } from './rules/loop-alternating.js'
import { loopContextWindow, loopMonologue } from './rules/loop-monologue.js'
import { loopSameError, loopSameResult } from './rules/loop-same-action.js'
import { neverSent } from './rules/never-sent.js'
import { noProgress, taskNoProgress } from './rules/no-progress.js'
import { overlappingAttempts } from './rules/overlapping-attempts.js'
import { retryOverdue } from './rules/retry-overdue.js'
import { silenceOf } from './silence.js'
import { taskSilenceOf } from './task-silence.js'

/** Rules about standing still; a silence answers them. */
const ABOUT_TIME: readonly StallRule<OperationSubject>[] = [
  heartbeatLost,
  attemptOverdue,
  deadlinePassed,
  retryOverdue,
  neverSent,
  noProgress,
]

/** Rules about facts that no wait explains. */
const ABOUT_FACTS: readonly StallRule<OperationSubject>[] = [
  overlappingAttempts,
  duplicateWrites,
  evidenceExpires,
]

/** Every rule about an operation, in the order documents list them. */
export const STALL_RULES: readonly StallRule<OperationSubject>[] = [...ABOUT_TIME, ...ABOUT_FACTS]

/** Rules about tasks that a silence answers. */
const TASK_SILENCED: readonly StallRule<TaskSubject>[] = [
  taskHeartbeatLost,
  loopSameResult,
  loopSameError,
  loopAlternating,
  loopMonologue,
  loopContextWindow,
  taskNoProgress,
]

const TASK_FACTS: readonly StallRule<TaskSubject>[] = [taskDeadlinePassed, budgetSpent]

/** Every rule about a task, in the order documents list them. */
export const TASK_STALL_RULES: readonly StallRule<TaskSubject>[] = [...TASK_SILENCED, ...TASK_FACTS]

/** By which rules an operation is stalled. Pure: the same row and the same moment give the same answer. */
export function stallsOf(subject: OperationSubject): readonly Stall[] {
  const { operation } = subject
  if (isSettled(operation.status)) return operation.same_as === null ? NONE : found(ABOUT_FACTS, subject)
  return found(silenceOf(subject) === undefined ? STALL_RULES : ABOUT_FACTS, subject)
}

/** By which rules a task is stalled, whatever its operations do. */
export function taskStallsOf(subject: TaskSubject): readonly Stall[] {
  return found(taskSilenceOf(subject) === undefined ? TASK_STALL_RULES : TASK_FACTS, subject)
}

// Most rows of a long list are settled and have none: they share one.
const NONE: readonly Stall[] = []

function found<Subject>(rules: readonly StallRule<Subject>[], subject: Subject): readonly Stall[] {
  return rules.flatMap(rule => {
    const finding = rule.check(subject)
    return finding === null ? [] : [{ rule: rule.id, ...finding }]
  })
}
