import type { AttemptEnd } from '../../core/attempt.js'
import type { ImportedAttempt } from '../../core/imported.js'

/** Attempts that are listed of one operation; a count beyond it is a damaged row, or not worth reading. */
const MOST_ATTEMPTS = 200

export interface Counted {
  /** how many were made; at least one is meant where something was sent */
  readonly count: number
  readonly owner?: string | null
  readonly sentAt: number | null
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
  sentAt,
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
      sent_at: n === 1 ? sentAt : null,
      ended_at: null,
      end: earlier,
      error: null,
    })
  const newestSentAt = count === 1 ? sentAt : null
  if (count >= 1)
    attempts.push({
      n: count,
      owner,
      sent_at: newestSentAt,
      // some of their times are whole seconds: nothing ends before it began
      ended_at: last === null || endedAt === null ? null : Math.max(endedAt, newestSentAt ?? endedAt),
      end: last,
      error,
    })
  return attempts
}
