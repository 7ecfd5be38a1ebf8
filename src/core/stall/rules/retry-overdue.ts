import { limitOf } from '../limits.js'
import { type OperationSubject, overrun, type StallRule } from '../rule.js'

export const retryOverdue: StallRule<OperationSubject> = {
  id: 'retry_overdue',
  title: 'a scheduled attempt that nobody made',
  reason: 'whoever was to send it again is gone, or does not look',
  check: ({ operation, look, config }) => {
    if (operation.status !== 'prepared' || operation.next_attempt_at === null) return null
    return overrun({
      from: operation.next_attempt_at,
      limit: limitOf('retry_overdue', operation, config),
      now: look.now.at,
      what: age => `its next attempt was due ${age} ago`,
    })
  },
}
