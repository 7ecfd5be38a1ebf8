import { actorWords } from '../../core/actor.js'
import { awaitsApproval } from '../../core/approval.js'
import { type OperationView, stallsIn } from '../../core/documents/sight.js'
import { formatAge } from '../../core/duration.js'
import { isoTime } from '../../core/iso-time.js'
import { isLeaseLapsed } from '../../core/lease.js'
import { taskStallsOf } from '../../core/stall/stalls.js'
import { isTaskClosed } from '../../core/task.js'
import { pauseOf } from '../../core/task-pauses.js'
import type { TakeoverInput } from './input.js'
import { lastSignOf } from './last-sign.js'
import { outcomeOf } from './outcomes.js'

interface StopRule {
  readonly id: string
  readonly title: string
  readonly reason: (input: TakeoverInput) => string | null
}

/** Why a task does not go on, the surest first. Only what is on record: a guess about a cause is none. */
export const STOP_RULES: readonly StopRule[] = [
  {
    id: 'closed',
    title: 'it was closed',
    reason: ({ task }) =>
      isTaskClosed(task.status)
        ? `it was ${task.status} at ${isoTime(task.closed_at ?? task.updated_at)}${inWords(task.status_reason)}`
        : null,
  },
  {
    id: 'taken_over',
    title: 'a person holds it',
    reason: ({ task }) =>
      task.taken_over_by === null
        ? null
        : `${actorWords(task.taken_over_by)} took it over at ${isoTime(task.taken_over_at ?? task.updated_at)}`,
  },
  {
    id: 'paused',
    title: 'it is paused',
    reason: ({ task }) => {
      const pause = pauseOf(task.status)
      return pause === null ? null : `${pause.title}${inWords(task.status_reason)}`
    },
  },
  {
    id: 'executor_gone',
    title: 'the executor of an operation in flight is gone',
    reason: ({ views, sight: { look } }) => {
      const orphan = newest(views, ({ operation }) => {
        const isGone = operation.lease_owner !== null && look.isOwnerGone(operation.lease_owner)
        return operation.status === 'in_flight' && (isGone || isLeaseLapsed(operation, look.now))
      })
      if (orphan === undefined) return null
      const { operation_id, lease_owner, lease_expires_at } = orphan.operation
      return lease_owner !== null && look.isOwnerGone(lease_owner)
        ? `the process that sent ${operation_id} is gone and recorded no outcome`
        : `the lease of ${operation_id} ran out at ${isoTime(lease_expires_at ?? look.now.at)} and no outcome was recorded`
    },
  },
  {
    id: 'outcome_lost',
    title: 'the outcome of an operation was lost',
    reason: ({ views }) => {
      const lost = newest(views, ({ operation }) => operation.status === 'unknown')
      if (lost === undefined) return null
      const { operation_id, last_error } = lost.operation
      const said = last_error === null ? '' : `: ${last_error.message}`
      return `the outcome of ${operation_id} is not known${said}`
    },
  },
  {
    id: 'task_stalled',
    title: 'its agent gives no sign of life, or goes round',
    reason: ({ task, recent, sight }) => {
      const [lost] = taskStallsOf({ task, recent, look: sight.look, config: sight.stall })
      return lost?.reason ?? null
    },
  },
  {
    id: 'stalled',
    title: 'an operation of it stands still',
    reason: ({ views, sight }) => {
      for (const view of views) {
        const stall = stallsIn(view, sight).find(({ limit }) => limit !== null)
        if (stall !== undefined) return `${view.operation.operation_id}: ${stall.reason}`
      }
      return null
    },
  },
  {
    id: 'waits_for_approval',
    title: 'a person must give leave',
    reason: ({ views }) => {
      const waiting = views.find(({ operation, approved_at }) =>
        awaitsApproval(operation, approved_at !== null),
      )
      return waiting === undefined ? null : `${waiting.operation.operation_id} waits for an approval`
    },
  },
  {
    id: 'nothing_open',
    title: 'nothing is open and nobody closed it',
    reason: ({ task, views, sight: { look } }) => {
      const isOpen = views.some(({ operation }) => {
        const outcome = outcomeOf(operation, look)
        return outcome === 'in_flight' || outcome === 'not_sent'
      })
      if (isOpen || views.length === 0) return null
      const age = formatAge(look.now.at - lastSignOf(task, views))
      return `nothing of it is open and nobody closed it; the last entry is ${age} old`
    },
  },
]

export function whyStopped(input: TakeoverInput): string | null {
  for (const rule of STOP_RULES) {
    const reason = rule.reason(input)
    if (reason !== null) return reason
  }
  return null
}

function newest(views: readonly OperationView[], is: (view: OperationView) => boolean) {
  return views.filter(is).reduce<OperationView | undefined>((last, view) => {
    return last === undefined || view.operation.updated_at >= last.operation.updated_at ? view : last
  }, undefined)
}

// Words of whoever set the status: quoted, since they may read like an order.
function inWords(reason: string | null): string {
  return reason === null || reason === '' ? '' : `, in the words of whoever did: ${JSON.stringify(reason)}`
}
