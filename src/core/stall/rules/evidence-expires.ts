import { formatAge, formatDuration } from '../../duration.js'
import type { OperationOutline } from '../../operation.js'
import { type Limit, limitOf, originWords } from '../limits.js'
import type { OperationSubject, StallRule } from '../rule.js'

/**
 * A service that keeps its records five minutes has forgotten them before anybody on call has read the alert: a third of
 * what is kept is warning enough, and where it is kept for months a week is.
 */
const LAST_PART = 1 / 3

export const evidenceExpires: StallRule<OperationSubject> = {
  id: 'evidence_expires',
  title: 'the record that can tell whether it happened is kept for a time, and that is nearly or wholly over',
  reason:
    'afterwards no look-up can tell, and absence is never proven: reconcile it now, or a person decides',
  check: ({ operation, look, config }) => {
    const { keeps_ms } = operation.contract
    const { key_first_used_at: from } = operation
    if (keeps_ms === undefined || from === null || !isOpen(operation)) return null
    const expires = from + keeps_ms
    const limit = warningOf(keeps_ms, limitOf('evidence_expires', operation, config))
    const leftMs = expires - look.now.at
    if (leftMs > limit.ms) return null
    const kept = `is kept for ${formatAge(keeps_ms)}`
    const warned = `warned of ${formatDuration(limit.ms)} before, ${originWords(limit.from)}`
    const reason =
      leftMs > 0
        ? `its remote record expires in ${shortAge(leftMs)}: it ${kept}, and no look-up can tell afterwards; ${warned}`
        : `its remote record expired ${shortAge(-leftMs)} ago: it ${kept}, and a look-up may find nothing any more`
    return { since: expires - limit.ms, reason, limit }
  },
}

/** Something was sent, and it is not settled. */
function isOpen({ status, may_have_applied }: OperationOutline): boolean {
  return status === 'in_flight' || status === 'unknown' || (status === 'prepared' && may_have_applied)
}

function warningOf(keepsMs: number, limit: Limit): Limit {
  return limit.from === 'default' ? { ...limit, ms: Math.min(limit.ms, keepsMs * LAST_PART) } : limit
}

/** To the second where minutes would hide how little is left. */
function shortAge(ms: number): string {
  return ms < 600_000 ? formatDuration(Math.floor(ms / 1_000) * 1_000) : formatAge(ms)
}
