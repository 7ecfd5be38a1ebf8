import { type Attempt, type AttemptEnd, isAttemptInDoubt } from '../attempt.js'
import type { ImportedAttempt, ImportedOperation } from '../imported.js'
import { DEFAULT_LEASE_MS } from '../lease.js'
import type { OperationStatus } from '../operation.js'
import { DEFAULT_ARRIVAL_BOUND_MS } from '../repeat.js'
import { cleanText, cleanTextOrNull, cleanTime } from './clean.js'

export type TheirAttempt = Omit<Attempt, 'operation_id'>

export interface Sendings {
  /** as their record says, or `unknown` where their own attempts speak against it */
  readonly status: OperationStatus
  readonly attempts: readonly TheirAttempt[]
  /** why another status than theirs was taken; null where it was not */
  readonly corrected: string | null
}

/**
 * Their attempts as this ledger keeps attempts, and the status that goes with them. An outcome in which nothing took
 * effect cannot stand beside an attempt that may have; what is in the air has an open attempt, what is in doubt one
 * that is in doubt.
 */
export function sendingsOf(record: ImportedOperation, now: number): Sendings {
  const given = record.own?.attempts.map(attempt => ownAttempt(attempt)) ?? theirs(record, now)
  const attempts = [...new Map(given.map(attempt => [attempt.n, attempt])).values()].sort((a, b) => a.n - b.n)
  const { status } = record
  switch (status) {
    case 'in_flight':
      return asIs(status, withOneOpen(attempts, record, now))
    case 'unknown':
    case 'abandoned':
      return asIs(status, withOneInDoubt(attempts, record, now))
    case 'prepared':
      return asIs(status, attempts.map(closed('ambiguous', now)))
    case 'confirmed':
      return asIs(status, withLastApplied(attempts, now))
    case 'not_executed':
    case 'cancelled':
      return withNothingApplied(status, attempts, now)
  }
}

function asIs(status: OperationStatus, attempts: readonly TheirAttempt[]): Sendings {
  return { status, attempts, corrected: null }
}

function withOneOpen(attempts: readonly TheirAttempt[], record: ImportedOperation, now: number) {
  const newest = attempts.at(-1)
  const open = newest?.end === null ? newest : sent(record, { n: (newest?.n ?? 0) + 1, now })
  return [...attempts.filter(({ n }) => n !== open.n).map(closed('ambiguous', now)), open]
}

function withOneInDoubt(attempts: readonly TheirAttempt[], record: ImportedOperation, now: number) {
  const ended = attempts.map(closed('ambiguous', now))
  if (ended.some(isInDoubt)) return ended
  const unsaid = sent(record, { n: (ended.at(-1)?.n ?? 0) + 1, now })
  return [...ended, closed('ambiguous', now)(unsaid)]
}

function withLastApplied(attempts: readonly TheirAttempt[], now: number): TheirAttempt[] {
  const hasReceipt = attempts.some(({ end }) => end === 'applied')
  return attempts.map((attempt, i) =>
    closed(i === attempts.length - 1 && !hasReceipt ? 'applied' : 'ambiguous', now)(attempt),
  )
}

function withNothingApplied(
  status: 'not_executed' | 'cancelled',
  attempts: readonly TheirAttempt[],
  now: number,
) {
  if (attempts.some(isInDoubt))
    return {
      status: 'unknown' as const,
      attempts: attempts.map(closed('ambiguous', now)),
      corrected: `it says ${status}, yet an attempt of it may have taken effect`,
    }
  if (status === 'cancelled' && attempts.length > 0)
    return { status: 'not_executed' as const, attempts, corrected: null }
  return asIs(status, attempts)
}

function isInDoubt(attempt: TheirAttempt): boolean {
  return isAttemptInDoubt({ operation_id: '', ...attempt })
}

function closed(end: AttemptEnd, now: number) {
  return (attempt: TheirAttempt): TheirAttempt =>
    attempt.end === null ? { ...attempt, end, ended_at: attempt.ended_at ?? now } : attempt
}

function theirs(record: ImportedOperation, now: number): TheirAttempt[] {
  return record.attempts
    .filter(({ n }) => Number.isSafeInteger(n) && n >= 1)
    .map(attempt => sent(record, { ...attempt, now }))
}

/** One sending of theirs. An open one may send at this very moment, whenever it began. */
function sent(
  record: ImportedOperation,
  attempt: Partial<ImportedAttempt> & { readonly n: number; readonly now: number },
): TheirAttempt {
  const { n, now, owner, end = null, error = null } = attempt
  const endedAt = end === null ? null : (cleanTime(attempt.ended_at) ?? cleanTime(record.updated_at) ?? now)
  const sentAt = cleanTime(attempt.sent_at) ?? cleanTime(record.created_at) ?? endedAt ?? now
  // Of earlier ones some keep only the count. What nobody timed is not shown beside the next one; that it may have been
  // sent as late as their record was written still counts.
  const isUntimed = (attempt.sent_at ?? attempt.ended_at ?? null) === null && n < newestNumber(record)
  const send_by = endedAt === null ? now + DEFAULT_LEASE_MS : Math.max(endedAt, sentAt)
  return {
    n,
    fence: 1,
    owner: cleanTextOrNull(owner) ?? '',
    sent_at: sentAt,
    sent_boot_id: '',
    sent_boot_ms: 0,
    send_by,
    latest_arrival: send_by + DEFAULT_ARRIVAL_BOUND_MS,
    ended_at: isUntimed && endedAt !== null ? sentAt : endedAt,
    end,
    error:
      error === null
        ? null
        : {
            rule: record.rule,
            message: cleanText(error.message),
            at: endedAt ?? sentAt,
            attempt: n,
            ...(error.code === undefined ? {} : { code: cleanText(error.code) }),
          },
    heartbeat_at: n === newestNumber(record) ? cleanTime(record.heartbeat_at) : null,
    activity_at: null,
    progress_at: null,
    progress: null,
  }
}

/** The boot clock of the machine it was sent from says nothing here. */
function ownAttempt(attempt: TheirAttempt): TheirAttempt {
  return { ...attempt, fence: 1, sent_boot_id: '', sent_boot_ms: 0 }
}

function newestNumber({ attempts }: ImportedOperation): number {
  return Math.max(0, ...attempts.map(({ n }) => n))
}
