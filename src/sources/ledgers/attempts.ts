import type { AttemptEnd } from '../../core/attempt.js'
import type { ImportedAttempt } from '../../core/imported.js'

/** Attempts that are listed of one operation; a count beyond it is a damaged row, or not worth reading. */
const MOST_ATTEMPTS = 200

export interface Counted {
  /** how many were made; at least one is meant where something was sent */
  readonly count: number
  readonly owner?: string | null
  /** when the first was sent; null: their record does not say */
  readonly firstSentAt?: number | null
  /** when the newest was sent */
  readonly newestSentAt?: number | null
  readonly endedAt: number | null
  /** how the newest ended; null: it may still be under way */
  readonly last: AttemptEnd | null
  /** how each before it ended */
  readonly earlier: AttemptEnd
  readonly error?: { readonly message: string; readonly code?: string } | null
}

/** Attempts of a ledger that only counts them: the newest as known, those before it all alike. */
export function countedAttempts({
  count,
  owner = null,
  firstSentAt = null,
  newestSentAt = null,
  endedAt,
  last,
  earlier,
  error = null,
}: Counted) {
  const first = Math.max(1, count - MOST_ATTEMPTS + 1)
  const attempts: ImportedAttempt[] = []
  for (let n = first; n < count; n++)
    attempts.push({
      n,
      owner: null,
      sent_at: n === 1 ? firstSentAt : null,
      ended_at: null,
      end: earlier,
      error: null,
    })
  const sentAt = newestSentAt ?? (count === 1 ? firstSentAt : null)
  if (count >= 1)
    attempts.push({
      n: count,
      owner,
      sent_at: sentAt,
      // some of their times are whole seconds: nothing ends before it began
      ended_at: last === null || endedAt === null ? null : Math.max(endedAt, sentAt ?? endedAt),
      end: last,
      error,
    })
  return attempts
}
