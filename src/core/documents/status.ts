import type { RiskClass } from '../risk.js'
import type { StallRuleId } from '../stall/rule.js'
import type { TaskStatus } from '../task.js'
import type { NextStep } from './report.js'

/** The body of `status@1`: what is open, how old it is, and what to type next. */
export interface StatusDocument {
  readonly in_doubt: OpenGroup & {
    /** the class of the riskiest among them, and which it is */
    readonly risk: RiskClass | null
    readonly riskiest: string | null
  }
  /** sent, and its executor or the service still holds it */
  readonly in_flight: OpenGroup & {
    /** the next lease to end; null where none is held */
    readonly next_lease_ends_at: string | null
    /** of writers that take no leases */
    readonly without_lease: number
  }
  /** written down, nothing of it may have taken effect */
  readonly not_sent: OpenGroup
  /** of those not sent: waiting for an approval */
  readonly awaiting_approval: number
  readonly stalled: readonly StalledGroup[]
  /** of what is in doubt, the largest first */
  readonly causes: readonly { readonly cause: string; readonly count: number; readonly oldest_at: string }[]
  /** settled, yet a person is asked: more than one object, another target, an undoing in question */
  readonly flagged: number
  readonly claims: readonly ClaimItem[]
  readonly tasks: {
    readonly open: number
    readonly taken_over: number
    /** open ones that do not run, by the reason */
    readonly paused: readonly PausedGroup[]
  }
  /** null for a ledger without events */
  readonly last_event_at: string | null
  /** leases have lapsed, and nobody has written since before they did */
  readonly is_silent: boolean
  /** outcomes that wait beside the ledger to be taken in by the next program that opens it to write */
  readonly receipts_waiting: readonly string[]
  readonly next: NextStep
}

export interface PausedGroup {
  readonly status: TaskStatus
  readonly count: number
  readonly resumes: string
}

export interface StalledGroup {
  readonly rule: StallRuleId
  readonly of: 'operation' | 'task'
  readonly count: number
  readonly oldest_since: string
}

export interface OpenGroup {
  readonly count: number
  readonly oldest_at: string | null
  readonly oldest: string | null
}

export interface ClaimItem {
  readonly subject: 'operation' | 'task'
  readonly subject_id: string
  readonly by: string
  readonly until: string
}

export const STATUS_FIELDS = [
  'in_doubt',
  'in_flight',
  'not_sent',
  'awaiting_approval',
  'stalled',
  'causes',
  'flagged',
  'claims',
  'tasks',
  'last_event_at',
  'is_silent',
  'receipts_waiting',
  'next',
] as const satisfies readonly (keyof StatusDocument)[]
