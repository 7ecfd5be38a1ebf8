import type { JsonValue } from '../../core/json.js'
import type { PendingActivity, PendingNexus } from './describe.js'
import type { Failure } from './failure.js'

/** What a workflow asked of the outside, with all that its history says of it. */
export interface Call {
  readonly kind: CallKind
  /** id of the event that asked for it */
  readonly openId: number
  /** null where that event is not in the file */
  opened: Opened | null
  started: StartedCall | null
  cancelAskedAt: number | null
  end: CallEnd | null
  pendingActivity: PendingActivity | null
  pendingNexus: PendingNexus | null
}

export const CALL_KINDS = ['activity', 'local_activity', 'child', 'signal', 'cancel', 'nexus'] as const
export type CallKind = (typeof CALL_KINDS)[number]

export interface Opened {
  readonly at: number | null
  readonly taskId: string | null
  readonly tool: string
  readonly target: string | null
  readonly input: JsonValue
  /** of an activity: what a describe answer calls it */
  readonly activityId: string | null
  readonly maximumAttempts: number | null
  readonly heartbeatTimeoutMs: number | null
  readonly startToCloseMs: number | null
  /** the completed workflow task whose code asked for it */
  readonly decision: number | null
  readonly requestId: string | null
  readonly parentClosePolicy: string | null
}

export interface StartedCall {
  readonly at: number | null
  readonly attempt: number
  readonly identity: string | null
  readonly lastFailure: Failure | null
  /** of a child its run, of a Nexus operation its token */
  readonly handle: string | null
}

export interface CallEnd {
  readonly id: number
  readonly at: number | null
  /** COMPLETED, FAILED, TIMED_OUT, CANCELED, TERMINATED, START_FAILED, DELIVERED */
  readonly how: string
  readonly failure: Failure | null
  readonly result: JsonValue
  readonly hasResult: boolean
  /** of an activity: 0 where no attempt was under way */
  readonly startedEventId: number
  readonly identity: string | null
  /** why a start, a signal or a cancel was not delivered */
  readonly cause: string | null
  readonly details: JsonValue
  readonly retryState: string | null
}

/** The same whichever export of the history it is read from: event id and the server's number for that write. */
export function keyOf({ openId, opened }: Call): string {
  if (opened === null) return `${openId}`
  return opened.taskId === null ? `${openId}@${opened.at ?? 0}` : `${openId}.${opened.taskId}`
}

export function toolOf({ kind, opened }: Call): string {
  return opened?.tool ?? `unknown ${kind.replace('_', ' ')}`
}

/** How often it was tried, as far as anything says; null where nothing does. */
export function attemptOf({ started, pendingActivity }: Call): number | null {
  return started?.attempt ?? pendingActivity?.attempt ?? null
}
