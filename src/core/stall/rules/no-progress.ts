import { lastSignOf } from '../../overlap.js'
import { limitOf, taskLimitOf } from '../limits.js'
import {
  latest,
  liveAttempt,
  type OperationSubject,
  overrun,
  type StallRule,
  type TaskSubject,
} from '../rule.js'

/**
 * An executor that lives and gets nowhere. One that never told of progress promised none, and one inside a time limit
 * of its own may be quiet: a build, a download.
 */
export const noProgress: StallRule<OperationSubject> = {
  id: 'no_progress',
  title: 'its executor lives, and what it sends gets nowhere',
  reason: 'a process that beats and achieves nothing is stuck or waits for something nobody knows of',
  check: subject => {
    const { operation, look, config } = subject
    if (operation.status !== 'in_flight' || operation.lease_owner === 'remote') return null
    const live = liveAttempt(subject)
    const sentAt = live?.sent_at ?? operation.updated_at
    const progressAt = live?.progress_at ?? operation.progress_at
    const limit = limitOf('no_progress', operation, config)
    if (limit.from === 'default') {
      if (progressAt === null) return null
      const own = limitOf('attempt_overdue', operation, config)
      if (own.from !== 'default' && look.now.at - sentAt <= own.ms) return null
    }
    const from = latest(sentAt, progressAt)
    const sign = latest(
      operation.heartbeat_at,
      operation.activity_at,
      live === undefined ? null : lastSignOf(live),
    )
    if (sign <= from || look.now.at - sign > limitOf('heartbeat_lost', operation, config).ms) return null
    return overrun({
      from,
      limit,
      now: look.now.at,
      what: age => `it lives, and has achieved nothing for ${age}`,
    })
  },
}

/** Of a task with nothing open: what is open is judged by itself. Signs of life and activity are no progress. */
export const taskNoProgress: StallRule<TaskSubject> = {
  id: 'no_progress',
  title: 'a running task that lives, has nothing open and achieves nothing',
  reason: 'it is stuck between two steps, or busy with nothing',
  check: ({ task, recent, look, config }) => {
    if (recent === null || recent.open > 0) return null
    const from = latest(task.progress_at, recent.last_confirmed?.at, task.updated_at)
    const sign = latest(task.heartbeat_at, task.activity_at, recent.actions.at(-1)?.at)
    // what gives no sign any more does not live: that is another rule's finding
    if (sign <= from || look.now.at - sign > taskLimitOf('heartbeat_lost', config, recent.phase).ms)
      return null
    const last = recent.last_confirmed
    const step = last === null ? '' : `, the last step was ${last.operation_id}`
    return overrun({
      from,
      limit: taskLimitOf('no_progress', config, recent.phase),
      now: look.now.at,
      what: age => `it lives, nothing of it is open, and nothing new was achieved for ${age}${step}`,
    })
  },
}
