import { limitOf } from '../limits.js'
import { latest, type OperationSubject, overrun, type StallRule } from '../rule.js'

/** The row of a prepared operation names no executor: that its task has been as quiet as it is stands for one gone. */
export const neverSent: StallRule<OperationSubject> = {
  id: 'never_sent',
  title: 'prepared, and its executor gone before it was sent',
  reason: 'the run ended between writing it down and sending it: nothing of this attempt left',
  check: ({ operation, task, approved_at, look, config }) => {
    if (operation.status !== 'prepared' || operation.next_attempt_at !== null) return null
    return overrun({
      from: latest(
        operation.updated_at,
        operation.defer_until,
        approved_at,
        task?.updated_at,
        task?.heartbeat_at,
        task?.activity_at,
        task?.progress_at,
      ),
      limit: limitOf('never_sent', operation, config),
      now: look.now.at,
      what: age => `prepared and not sent, no sign of its executor for ${age}`,
    })
  },
}
