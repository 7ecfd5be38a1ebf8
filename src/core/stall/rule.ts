import type { Attempt } from '../attempt.js'
import { formatAge, formatDuration } from '../duration.js'
import type { Look } from '../in-doubt.js'
import type { JsonValue } from '../json.js'
import type { OperationOutline } from '../operation.js'
import type { Task } from '../task.js'
import { type CountLimit, type Limit, type LimitOrigin, originWords, type StallConfig } from './limits.js'
import type { Recent } from './recent.js'

export const STALL_RULE_IDS = [
  'heartbeat_lost',
  'attempt_overdue',
  'deadline_passed',
  'retry_overdue',
  'never_sent',
  'no_progress',
  'budget_spent',
  'overlapping_attempts',
  'duplicate_writes',
  'evidence_expires',
  'loop_same_action_same_result',
  'loop_same_action_error',
  'loop_monologue',
  'loop_alternating',
  'loop_context_window',
] as const
export type StallRuleId = (typeof STALL_RULE_IDS)[number]

/** What a rule found, with the numbers it rests on. */
export interface Finding {
  /** since when this rule calls it stalled, milliseconds since 1970 UTC */
  readonly since: number
  readonly reason: string
  /** null where the rule reports a fact and knows no limit */
  readonly limit: Limit | CountLimit | null
  readonly facts?: Readonly<Record<string, JsonValue>>
}

/** One reason to call an operation or a task stalled. Rules only read; nothing is stored and nothing is moved. */
export interface StallRule<Subject> {
  readonly id: StallRuleId
  readonly title: string
  /** why this is worth a person's look */
  readonly reason: string
  readonly check: (subject: Subject) => Finding | null
}

type TaskSigns = Pick<
  Task,
  'status' | 'taken_over_by' | 'deadline_at' | 'updated_at' | 'heartbeat_at' | 'activity_at' | 'progress_at'
>

/** All that a rule may look at. */
export interface OperationSubject {
  readonly operation: OperationOutline
  /** of this operation, oldest first; they may be left out where it has had fewer than two and none is live */
  readonly attempts: readonly Attempt[]
  /** null where nobody read it: what rests on the task is then not asked */
  readonly task: TaskSigns | null
  /** the operation that `same_as` names; null where there is none, or nobody read it */
  readonly twin: OperationOutline | null
  /** when the approval was given that permits its next send; null or left out where none is on file, or nobody looked */
  readonly approved_at?: number | null
  readonly look: Look
  readonly config: StallConfig
  /** time of the last event by anyone; null where nobody looked */
  readonly lastEventAt: number | null
}

export interface TaskSubject {
  readonly task: Task
  /** what it did lately; null where nobody looked, and then only the rules that need its row speak */
  readonly recent: Recent | null
  readonly look: Look
  readonly config: StallConfig
}

/** A finding with its rule, as documents carry it. */
export interface Stall extends Finding {
  readonly rule: StallRuleId
}

/** The attempt that now runs, as far as the row knows. */
export function liveAttempt({ operation, attempts }: OperationSubject): Attempt | undefined {
  if (operation.status !== 'in_flight') return undefined
  return attempts.find(attempt => attempt.n === operation.attempt)
}

/** `limit`, when `ms` have passed it since `from`. */
interface Overrun {
  readonly from: number
  readonly limit: Limit
  readonly now: number
  readonly what: (age: string) => string
}

/** A finding when more than the limit has passed since `from`; the sentence names the age, the limit and its origin. */
export function overrun({ from, limit, now, what }: Overrun): Finding | null {
  const ageMs = now - from
  if (ageMs <= limit.ms) return null
  const reason = `${what(formatAge(ageMs))}; the limit is ${formatDuration(limit.ms)}, ${originWords(limit.from)}`
  return { since: from + limit.ms, reason, limit }
}

/** The latest of the times that are known. */
export function latest(...times: readonly (number | null | undefined)[]): number {
  return Math.max(...times.map(at => at ?? Number.NEGATIVE_INFINITY))
}

export type { LimitOrigin }
