import { isTaskClosed } from '../../task.js'
import { limitOf, taskLimitOf } from '../limits.js'
import { type OperationSubject, overrun, type StallRule, type TaskSubject } from '../rule.js'

/** What is unknown already waits for an answer, which no deadline gives: only what could still be sent counts. */
export const deadlinePassed: StallRule<OperationSubject> = {
  id: 'deadline_passed',
  title: 'its deadline, or that of its task, is over and it is not settled',
  reason: 'it will not be sent any more: somebody decides whether it is still wanted',
  check: ({ operation, task, look, config }) => {
    if (operation.status !== 'prepared' && operation.status !== 'in_flight') return null
    const own = operation.deadline_at ?? Number.POSITIVE_INFINITY
    const deadline = Math.min(own, task?.deadline_at ?? Number.POSITIVE_INFINITY)
    if (deadline === Number.POSITIVE_INFINITY) return null
    const whose = deadline === own ? 'its deadline' : 'the deadline of its task'
    return overrun({
      from: deadline,
      limit: limitOf('deadline_passed', operation, config),
      now: look.now.at,
      what: age => `${whose} passed ${age} ago`,
    })
  },
}

export const taskDeadlinePassed: StallRule<TaskSubject> = {
  id: 'deadline_passed',
  title: 'the deadline of a task is over and it is not closed',
  reason: 'nothing of it will be sent any more',
  check: ({ task, look, config }) => {
    if (task.deadline_at === null || isTaskClosed(task.status) || task.taken_over_by !== null) return null
    return overrun({
      from: task.deadline_at,
      limit: taskLimitOf('deadline_passed', config),
      now: look.now.at,
      what: age => `its deadline passed ${age} ago`,
    })
  },
}
