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
 * A writer that takes no leases and never beat promised no sign of life: `attempt_overdue` judges it. A service that
 * accepted the work does not beat either.
 */
export const heartbeatLost: StallRule<OperationSubject> = {
  id: 'heartbeat_lost',
  title: 'no sign of life from the executor of an operation in flight',
  reason: 'a process that holds a lease or has beaten before, and stopped, is probably dead or cut off',
  check: subject => {
    const { operation, look, config, lastEventAt } = subject
    if (operation.status !== 'in_flight' || operation.lease_owner === 'remote') return null
    if (operation.lease_expires_at === null && operation.heartbeat_at === null) return null
    const live = liveAttempt(subject)
    const lastSign = latest(
      operation.heartbeat_at,
      operation.activity_at,
      operation.progress_at,
      live === undefined ? operation.updated_at : lastSignOf(live),
    )
    const found = overrun({
      from: lastSign,
      limit: limitOf('heartbeat_lost', operation, config),
      now: look.now.at,
      what: age => `no sign of life from its executor for ${age}`,
    })
    const isSilentLedger = lastEventAt !== null && lastEventAt <= lastSign
    if (found === null || !isSilentLedger) return found
    return { ...found, reason: `${found.reason}; nobody has written to this ledger since either` }
  },
}

export const taskHeartbeatLost: StallRule<TaskSubject> = {
  id: 'heartbeat_lost',
  title: 'no sign of life from a running task',
  reason: 'a task that has beaten before, and stopped, has probably lost its agent',
  check: ({ task, look, config }) => {
    if (task.heartbeat_at === null) return null
    return overrun({
      from: latest(task.heartbeat_at, task.activity_at, task.progress_at, task.updated_at),
      limit: taskLimitOf('heartbeat_lost', config),
      now: look.now.at,
      what: age => `no sign of life from its agent for ${age}`,
    })
  },
}
