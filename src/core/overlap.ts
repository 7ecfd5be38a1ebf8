import type { Attempt } from './attempt.js'
import type { Look } from './in-doubt.js'

/** Attempts of one operation that ran at the same time. */
export interface Overlap {
  /** their numbers, oldest first; two at least */
  readonly attempts: readonly number[]
  /** older ones that nobody ended and that gave a sign of life after the newest one had begun */
  readonly still_reporting: readonly Reporting[]
  /** when the first overlap began, milliseconds since 1970 UTC */
  readonly since: number
}

export interface Reporting {
  readonly attempt: number
  readonly what: 'progress' | 'activity' | 'heartbeat'
  readonly at: number
}

/**
 * Which attempts are known to have run beside another one, or null. Only what is on record counts: an end that its own
 * executor gave, a sign of life, an attempt that nobody ended. One that was given up for it (lapsed lease, takeover)
 * may still run, but that it did is not known without a sign.
 */
export function overlapOf(attempts: readonly Attempt[], look: Look): Overlap | null {
  const byStart = [...attempts].sort((a, b) => a.sent_at - b.sent_at || a.n - b.n)
  const involved = new Set<number>()
  let since = Number.POSITIVE_INFINITY
  byStart.forEach((earlier, i) => {
    for (const later of byStart.slice(i + 1)) {
      if (ranUntil(earlier, look) <= later.sent_at) continue
      involved.add(earlier.n).add(later.n)
      since = Math.min(since, later.sent_at)
    }
  })
  if (involved.size === 0) return null
  return {
    attempts: [...involved].sort((a, b) => a - b),
    still_reporting: byStart.flatMap(attempt => reportingAfter(attempt, byStart.at(-1))),
    since,
  }
}

/** The last sign of life of an attempt: what it signalled, or that it was sent. */
export function lastSignOf(attempt: Attempt): number {
  return Math.max(
    attempt.sent_at,
    attempt.heartbeat_at ?? 0,
    attempt.activity_at ?? 0,
    attempt.progress_at ?? 0,
  )
}

function ranUntil(attempt: Attempt, look: Look): number {
  const lastSign = lastSignOf(attempt)
  if (attempt.end === null) {
    return look.isOwnerGone(attempt.owner) ? lastSign : Number.POSITIVE_INFINITY
  }
  return isEndedByItself(attempt) ? Math.max(lastSign, attempt.ended_at ?? 0) : lastSign
}

// Whoever gives up another's attempt ends it without an error of that attempt.
function isEndedByItself({ end, error }: Attempt): boolean {
  return end === 'applied' || end === 'not_applied' || error !== null
}

function reportingAfter(attempt: Attempt, newest: Attempt | undefined): Reporting[] {
  if (newest === undefined || isEndedByItself(attempt)) return []
  for (const what of ['progress', 'activity', 'heartbeat'] as const) {
    const at = attempt[`${what}_at`]
    if (at !== null && at > newest.sent_at && attempt.n !== newest.n)
      return [{ attempt: attempt.n, what, at }]
  }
  return []
}
