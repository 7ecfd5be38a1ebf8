import { attemptOf, type Call, toolOf } from './call.js'
import { isTimeout } from './failure.js'
import { closedAs, safeText } from './identity.js'
import { hasUnreadable } from './operation-record.js'
import type { Outcome } from './outcome.js'
import type { Run } from './run.js'
import { wordOf } from './run-warnings.js'
import { type TemporalWarning, warning } from './warnings.js'

/** What a person must know of one call, beyond its status. */
export function callWarnings(run: Run, call: Call, { hidden, rule }: Outcome): TemporalWarning[] {
  const found: TemporalWarning[] = []
  const name = safeText(toolOf(call), 200)
  const where = `event ${call.openId}`
  if (hidden > 0) {
    const before = call.started?.lastFailure ?? call.pendingActivity?.lastFailure ?? null
    const how =
      before === null
        ? ''
        : isTimeout(before)
          ? '; the last of them timed out: possible extra effect'
          : '; the last of them failed'
    found.push(
      warning(
        'earlier_attempts',
        `${name}: ${hidden} of ${attemptOf(call) ?? hidden + 1} attempts not recorded by Temporal${how}`,
        where,
      ),
    )
  }
  const how = closedAs(run)
  if (isLeftOpen(run, call) && rule.status !== 'not_executed')
    found.push(
      warning('ended_with_open_work', `the workflow ${wordOf(how ?? '')} while ${name} was open`, where),
    )
  if (hasUnreadable(call))
    found.push(warning('payload_unreadable', `${name} has values that only the workers can read`, where))
  return found
}

export function isLeftOpen(run: Run, { end }: Call): boolean {
  return end === null && closedAs(run) !== null
}
