import { formatAge } from '../../duration.js'
import { isSettled } from '../../operation.js'
import { type Overlap, overlapOf } from '../../overlap.js'
import type { OperationSubject, StallRule } from '../rule.js'

/** A fact, not an age: no wait explains it. */
export const overlappingAttempts: StallRule<OperationSubject> = {
  id: 'overlapping_attempts',
  title: 'several attempts of one operation ran at the same time',
  reason: 'each of them may take effect: end all but one before anything else is sent',
  check: ({ operation, attempts, look }) => {
    if (isSettled(operation.status)) return null
    const overlap = overlapOf(attempts, look)
    if (overlap === null) return null
    return {
      since: overlap.since,
      limit: null,
      reason: overlapWords(overlap, look.now.at),
      facts: { attempts: overlap.attempts },
    }
  },
}

const REPORTS = { progress: 'progress', activity: 'activity', heartbeat: 'that it lives' } as const

/** `4 attempts overlap (1, 2, 3, 4); attempt 1 is still reporting progress, last 2m ago`. */
export function overlapWords({ attempts, still_reporting }: Overlap, now: number): string {
  const all = `${attempts.length} attempts overlap (${attempts.join(', ')})`
  const reports = still_reporting.map(
    ({ attempt, what, at }) =>
      `attempt ${attempt} is still reporting ${REPORTS[what]}, last ${formatAge(now - at)} ago`,
  )
  return [all, ...reports].join('; ')
}
