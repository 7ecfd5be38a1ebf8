import type { Call } from '../call.js'
import type { PendingActivity } from '../describe.js'
import type { Around } from './rule.js'

export function isFailed(end: Call['end'], kind: string): boolean {
  return end?.how === 'FAILED' && end.failure?.kind === kind
}

export function isTimeout(end: Call['end'], type: string): boolean {
  return end?.how === 'TIMED_OUT' && end.failure?.timeoutType === type
}

export function hasCause(end: Call['end']): boolean {
  return (end?.failure?.cause ?? null) !== null
}

export function wasRunning({ end, started }: Call): boolean {
  return (end?.startedEventId ?? 0) > 0 || started !== null
}

export function hasEarlier(started: Call['started']): boolean {
  return started !== null && (started.attempt > 1 || started.lastFailure !== null)
}

export function neverStarted({ pendingActivity }: Call): boolean {
  if (pendingActivity === null) return false
  const { state, attempt, startedAt, lastFailure, heartbeatAt } = pendingActivity
  const isWaiting = state === 'SCHEDULED' || state === 'PAUSED' || state === 'CANCEL_REQUESTED'
  return isWaiting && attempt <= 1 && startedAt === null && lastFailure === null && heartbeatAt === null
}

/** A cancel that was asked for hides whether an attempt runs; then its start tells. */
export function isUnderWay({ state, startedAt, nextAttemptAt }: PendingActivity): boolean {
  if (state === 'STARTED' || state === 'PAUSE_REQUESTED') return true
  return state === 'CANCEL_REQUESTED' && startedAt !== null && nextAttemptAt === null
}

/**
 * The server counts silence from the last heartbeat it took in. Workers send heartbeats bundled, so that what it knows
 * lags behind by up to 60 s or 0.8 of the limit; the limit itself already covers that.
 */
export function isOverdue(pending: PendingActivity, opened: Call['opened'], { now }: Around): boolean {
  if (now === null || pending.startedAt === null || pending.state === 'PAUSE_REQUESTED') return false
  const heartbeatMs = pending.heartbeatTimeoutMs ?? opened?.heartbeatTimeoutMs ?? null
  const wholeMs = pending.startToCloseMs ?? opened?.startToCloseMs ?? null
  const heardAt = Math.max(pending.startedAt, pending.heartbeatAt ?? 0)
  return (
    (heartbeatMs !== null && now - heardAt > heartbeatMs) ||
    (wholeMs !== null && now - pending.startedAt > wholeMs) ||
    (pending.expiresAt !== null && now > pending.expiresAt)
  )
}
