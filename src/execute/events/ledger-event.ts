import type { NextAction } from '../../core/next-action.js'
import type { OperationStatus } from '../../core/operation.js'
import type { EventType } from '../../core/transitions/requests.js'

/** What an application's logger hears of: the moves that this ledger handle made, and what it would not do. */
export type LedgerEventType = (typeof TYPE_OF)[EventType] | 'refused' | 'lease_lost'

/** One thing that happened to an operation. Texts are masked; times are milliseconds since 1970 UTC. */
export interface LedgerEvent {
  readonly type: LedgerEventType
  /** the move of docs/states.md; null where nothing was moved */
  readonly move: EventType | null
  readonly at: number
  /** who did it */
  readonly by: string
  readonly operation_id: string
  readonly task_id: string
  readonly phase: string | null
  readonly step: string | null
  readonly tool: string
  readonly target: string | null
  /** after the move */
  readonly status: OperationStatus
  /** attempts announced so far; the number of the newest */
  readonly attempts: number
  readonly may_have_applied: boolean
  /** how the last attempt failed, where that is why; else null */
  readonly error: { readonly rule: string; readonly message: string; readonly code?: string } | null
  /** why it was refused, or the lease was lost; else null */
  readonly reason: string | null
  readonly next_action: NextAction
}

/** What each move is called for people who read a log. */
export const TYPE_OF = {
  prepare: 'prepared',
  send: 'sent',
  accept: 'accepted',
  confirm: 'confirmed',
  reject: 'not_executed',
  reject_in_doubt: 'unknown',
  schedule_retry: 'retry_scheduled',
  lose: 'unknown',
  orphan: 'unknown',
  takeover: 'taken_over',
  resend: 'retry_allowed',
  rerun: 'retry_allowed',
  allow_retry: 'retry_allowed',
  withdraw: 'withdrawn',
  absent: 'not_executed',
  resolve_confirmed: 'confirmed',
  resolve_not_executed: 'not_executed',
  late_result: 'late',
  contradict: 'contradicted',
  question: 'questioned',
  reopen: 'reopened',
  cancel: 'cancel_asked',
  deny: 'cancel_asked',
  abandon: 'abandoned',
  acknowledge: 'acknowledged',
  import: 'imported',
} as const satisfies Record<EventType, string>

/** Where a move leads that is followed by another in the same commit. */
export const STATUS_BETWEEN: Readonly<Partial<Record<EventType, OperationStatus>>> = {
  prepare: 'prepared',
  orphan: 'unknown',
  resend: 'prepared',
  rerun: 'prepared',
  allow_retry: 'prepared',
}
