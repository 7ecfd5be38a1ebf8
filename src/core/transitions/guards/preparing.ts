import { type Guard, objection } from './guard.js'

export const taskNotCancelled: Guard = {
  id: 'task_not_cancelled',
  title: 'nobody cancelled the task, or it is asked for to clean up',
  code: 'refused',
  check: ({ request, context: { task } }) =>
    (task.status !== 'cancel_requested' && task.status !== 'cancelled') ||
    (request.type === 'prepare' && request.cleanup === true)
      ? null
      : objection(
          `task ${task.task_id} is ${task.status}: nothing further of it begins`,
          'end the run; what must be cleaned up after it is asked for as such (cleanup: true)',
        ),
}

export const sameWriteOnce: Guard = {
  id: 'same_write_once',
  title:
    'the task has no other operation of this tool and input that took or may take effect, or it says why again',
  code: 'conflict',
  check: ({ request, context: { same_write } }) =>
    request.type !== 'prepare' ||
    same_write === null ||
    request.again !== undefined ||
    // what happened elsewhere is written down as it was
    request.intent.provenance === 'imported' ||
    request.intent.effect === 'read'
      ? null
      : {
          ...objection(
            `the same tool and input stand under ${same_write} in this task`,
            `go on with ${same_write}; if it is wanted once more, say why (again)`,
          ),
          other: same_write,
        },
}
