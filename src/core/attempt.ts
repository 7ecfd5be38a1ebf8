import type { JsonValue } from './json.js'
import type { LastError } from './operation.js'
import type { Stamp } from './time.js'

/**
 * How one sending ended: `applied` it took effect · `not_applied` it certainly did not · `ambiguous` nobody can
 * tell · `absent` a look-up proved that it did not and cannot any more.
 */
export const ATTEMPT_ENDS = ['applied', 'not_applied', 'ambiguous', 'absent'] as const
export type AttemptEnd = (typeof ATTEMPT_ENDS)[number]

/** One row of `ledger_attempt`: one sending of an operation, announced before its first byte. */
export interface Attempt {
  readonly operation_id: string
  /** 1, 2, 3, … */
  readonly n: number
  readonly fence: number
  readonly owner: string
  readonly sent_at: number
  readonly sent_boot_id: string
  readonly sent_boot_ms: number
  /** after this moment the executor sends nothing any more */
  readonly send_by: number
  /** after this moment nothing of it can still arrive; null = never provable */
  readonly latest_arrival: number | null
  readonly ended_at: number | null
  readonly end: AttemptEnd | null
  readonly error: LastError | null
  readonly heartbeat_at: number | null
  readonly activity_at: number | null
  readonly progress_at: number | null
  readonly progress: JsonValue | null
}

/** May this attempt have taken effect, as far as its own record says? */
export function isAttemptInDoubt(attempt: Attempt): boolean {
  return attempt.end === null || attempt.end === 'ambiguous' || attempt.end === 'applied'
}

/** Some attempt other than the live one is not ended, or ended ambiguous or applied. */
export function mayHaveApplied(attempts: readonly Attempt[], liveAttempt: number | null): boolean {
  return attempts.some(attempt => attempt.n !== liveAttempt && isAttemptInDoubt(attempt))
}

/** The moment after which no attempt in doubt can still arrive; null = never provable. */
export function latestArrival(attempts: readonly Attempt[]): number | null {
  let latest = 0
  for (const attempt of attempts.filter(isAttemptInDoubt)) {
    if (attempt.latest_arrival === null) return null
    latest = Math.max(latest, attempt.latest_arrival)
  }
  return latest
}

/** When the first attempt was announced, by both clocks; null when nothing was sent. */
export function firstSent(attempts: readonly Attempt[]): Stamp | null {
  const first = attempts.find(({ n }) => n === 1)
  return first === undefined
    ? null
    : { at: first.sent_at, boot_id: first.sent_boot_id, boot_ms: first.sent_boot_ms }
}

/** Has this attempt run out of time to arrive, by the clock that says less? */
export function hasArrivalPassed(attempt: Attempt, now: Stamp): boolean {
  if (attempt.latest_arrival === null || now.at <= attempt.latest_arrival) return false
  const isSameBoot = attempt.sent_boot_id !== '' && attempt.sent_boot_id === now.boot_id
  return !isSameBoot || now.boot_ms - attempt.sent_boot_ms > attempt.latest_arrival - attempt.sent_at
}
