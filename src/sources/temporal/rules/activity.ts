import {
  hasCause,
  hasEarlier,
  isFailed,
  isOverdue,
  isTimeout,
  isUnderWay,
  neverStarted,
  wasRunning,
} from './activity-standing.js'
import type { OutcomeRule } from './rule.js'

const COMPLETE_RESULT_TOO_LARGE = /complete result exceeds size limit/i
const FAILURE_TOO_LARGE = /^failure exceeds size limit/i
const BY_HAND = /^(?:temporal-cli|tctl)[:@]|@temporal-cli/

/**
 * Activities. A server tells a worker of an attempt only after it has recorded the start, but with a retry policy (there
 * always is one) it writes the start into the history together with the end: until then a scheduled activity may be
 * anything. Facts: temporalio/temporal, mutable_state_impl.go and timer_queue_active_task_executor.go.
 */
export const ACTIVITY_RULES: readonly OutcomeRule[] = [
  {
    id: 'temporal.completed_by_hand',
    title: 'completed, and the one who said so is no worker',
    status: 'confirmed',
    reason:
      'A person or a program completed it from outside, by its id or token; the result is what they gave.',
    applies: ({ end }) => end?.how === 'COMPLETED' && BY_HAND.test(end.identity ?? ''),
  },
  {
    id: 'temporal.completed_after_retries',
    title: 'completed in a later attempt',
    status: 'confirmed',
    reason:
      'The last attempt reported success. The earlier ones left no event, and each may have had effects of its own.',
    applies: ({ end, started }) => end?.how === 'COMPLETED' && (started?.attempt ?? 1) > 1,
  },
  {
    id: 'temporal.completed',
    title: 'completed',
    status: 'confirmed',
    reason: 'The worker reported success.',
    applies: ({ end }) => end?.how === 'COMPLETED',
  },
  {
    id: 'temporal.result_too_large',
    title: 'failed by the server: the result was too large',
    status: 'confirmed',
    reason: 'The worker reported success; only its result was refused and is lost.',
    applies: ({ end }) =>
      isFailed(end, 'server') && COMPLETE_RESULT_TOO_LARGE.test(end?.failure?.message ?? ''),
  },
  {
    id: 'temporal.failed_by_reset',
    title: 'failed by a reset of the workflow',
    status: 'unknown',
    reason: 'A reset wrote the failure. The attempt was under way and may have gone on.',
    applies: ({ end }) => isFailed(end, 'reset'),
  },
  {
    id: 'temporal.failed_by_server',
    title: 'failed by the server',
    status: 'unknown',
    reason: 'The server wrote the failure, not the code of the activity, which may still be running.',
    applies: ({ end }) => isFailed(end, 'server') && !FAILURE_TOO_LARGE.test(end?.failure?.message ?? ''),
  },
  {
    id: 'temporal.failed_canceled',
    title: 'failed with a cancellation',
    status: 'unknown',
    reason: 'The code was stopped on its way; what it had done by then is not recorded.',
    applies: ({ end }) => isFailed(end, 'canceled'),
  },
  {
    id: 'temporal.failed',
    title: 'failed in its code',
    status: 'unknown',
    reason: 'The code ran until an error. Its outside write may have happened before the error was raised.',
    applies: ({ end }) => end?.how === 'FAILED',
  },
  {
    id: 'temporal.timed_out_start_to_close',
    title: 'timed out: start to close',
    status: 'unknown',
    reason: 'An attempt was handed to a worker. A completion that comes later is refused and never recorded.',
    applies: ({ end }) => isTimeout(end, 'START_TO_CLOSE'),
  },
  {
    id: 'temporal.timed_out_heartbeat',
    title: 'timed out: heartbeat',
    status: 'unknown',
    reason:
      'The worker was lost, stopped or slow to report. The code may have gone on; the last details are a lower bound.',
    applies: ({ end }) => isTimeout(end, 'HEARTBEAT'),
  },
  {
    id: 'temporal.timed_out_schedule_to_close_running',
    title: 'timed out: schedule to close, an attempt was under way',
    status: 'unknown',
    reason:
      'An attempt was under way, or had timed out without time left for another: the server writes both alike.',
    applies: call => isTimeout(call.end, 'SCHEDULE_TO_CLOSE') && wasRunning(call),
  },
  {
    id: 'temporal.timed_out_schedule_to_close_after_attempt',
    title: 'timed out: schedule to close, after an attempt that failed',
    status: 'unknown',
    reason:
      'The time ran out while it waited for another attempt. The cause tells of an earlier one that ran.',
    applies: ({ end }) => isTimeout(end, 'SCHEDULE_TO_CLOSE') && hasCause(end),
  },
  {
    id: 'temporal.timed_out_schedule_to_close_never_started',
    title: 'timed out: schedule to close, never started',
    status: 'not_executed',
    reason: 'No worker was ever given it: a start is recorded before the task is handed out.',
    applies: ({ end, started }) => isTimeout(end, 'SCHEDULE_TO_CLOSE') && !hasEarlier(started),
  },
  {
    id: 'temporal.timed_out_schedule_to_start_after_attempt',
    title: 'timed out: schedule to start, after an attempt that failed',
    status: 'unknown',
    reason: 'The limit counts for each attempt. The cause tells of an earlier one that ran.',
    applies: call => isTimeout(call.end, 'SCHEDULE_TO_START') && (hasCause(call.end) || wasRunning(call)),
  },
  {
    id: 'temporal.timed_out_schedule_to_start',
    title: 'timed out: schedule to start, never started',
    status: 'not_executed',
    reason: 'No worker was ever given it: a start is recorded before the task is handed out.',
    applies: ({ end, started }) => isTimeout(end, 'SCHEDULE_TO_START') && !hasEarlier(started),
  },
  {
    id: 'temporal.timed_out',
    title: 'timed out, and how is not readable',
    status: 'unknown',
    reason: 'Without the kind of the time-out an attempt may have run.',
    applies: ({ end }) => end?.how === 'TIMED_OUT',
  },
  {
    id: 'temporal.canceled_running',
    title: 'cancelled while an attempt was under way',
    status: 'unknown',
    reason:
      'The worker gave up on request. What it had done by then is not recorded, but for the details it gave.',
    applies: call => call.end?.how === 'CANCELED' && wasRunning(call),
  },
  {
    id: 'temporal.canceled_never_started',
    title: 'cancelled before its only attempt started',
    status: 'not_executed',
    reason: 'Its policy allows one attempt, and that one was never handed out.',
    applies: ({ end, opened }) => end?.how === 'CANCELED' && opened?.maximumAttempts === 1,
  },
  {
    id: 'temporal.canceled_waiting',
    title: 'cancelled while it waited for an attempt',
    status: 'unknown',
    reason: 'A cancel before the first attempt and one between two attempts are written alike.',
    applies: ({ end }) => end?.how === 'CANCELED',
  },
  {
    id: 'temporal.closed_never_started',
    title: 'described as never started, and the workflow is over',
    status: 'not_executed',
    reason: 'No attempt had started, and none can be handed out after the workflow has ended.',
    applies: (call, { isClosed }) => isClosed && neverStarted(call),
  },
  {
    id: 'temporal.closed_pending',
    title: 'described as pending, and the workflow is over',
    status: 'unknown',
    reason: 'An attempt was made. It goes on until it next reports, and what it reports then is refused.',
    applies: ({ pendingActivity }, { isClosed }) => isClosed && pendingActivity !== null,
  },
  {
    id: 'temporal.waiting_first_attempt',
    title: 'described as never started so far',
    status: 'prepared',
    reason: 'No attempt has started yet; one may start at any time.',
    applies: call => neverStarted(call),
  },
  {
    id: 'temporal.waiting_retry',
    title: 'described as waiting for another attempt',
    status: 'unknown',
    reason: 'An earlier attempt ran and did not report success. The server will try again by itself.',
    applies: ({ pendingActivity }) => pendingActivity !== null && !isUnderWay(pendingActivity),
  },
  {
    id: 'temporal.running_overdue',
    title: 'described as running, and its time is over now',
    status: 'unknown',
    reason:
      'Since then the server has timed the attempt out, heard of it, or both: the answer is older than its limits.',
    applies: ({ pendingActivity, opened }, around) =>
      pendingActivity !== null && isOverdue(pendingActivity, opened, around),
  },
  {
    id: 'temporal.running_workers_stopped',
    title: 'described as running, and a person says that the workers are stopped',
    status: 'unknown',
    reason: 'The attempt ended without a report.',
    applies: ({ pendingActivity }, { assumeWorkersStopped }) =>
      pendingActivity !== null && assumeWorkersStopped,
  },
  {
    id: 'temporal.running',
    title: 'described as running',
    status: 'in_flight',
    reason: 'A worker has it, as far as the server knows.',
    applies: ({ pendingActivity }) => pendingActivity !== null,
  },
  {
    id: 'temporal.no_longer_pending',
    title: 'scheduled, and no longer pending when the workflow was described',
    status: 'unknown',
    reason: 'It ended after the history was taken: take the history again.',
    applies: (_, { isDescribed, isCut }) => isDescribed && !isCut,
  },
  {
    id: 'temporal.end_not_in_file',
    title: 'scheduled, and events are missing after it',
    status: 'unknown',
    reason: 'Its end may stand among the events that are not in the file.',
    applies: (_, { isCut }) => isCut,
  },
  {
    id: 'temporal.cancel_asked',
    title: 'a cancel was asked for, and nothing came after it',
    status: 'unknown',
    reason: 'An activity learns of a cancel only when it reports a heartbeat.',
    applies: ({ cancelAskedAt }) => cancelAskedAt !== null,
  },
  {
    id: 'temporal.started_only',
    title: 'started, without an end',
    status: 'unknown',
    reason: 'An attempt is under way, or its worker was lost.',
    applies: ({ started }) => started !== null,
  },
  {
    id: 'temporal.scheduled_only_closed',
    title: 'scheduled, without an end, and the workflow is over',
    status: 'unknown',
    reason:
      'The start is written together with the end. An attempt may have run, and its report was refused.',
    applies: (_, { isClosed }) => isClosed,
  },
  {
    id: 'temporal.scheduled_only',
    title: 'scheduled, without an end',
    status: 'unknown',
    reason:
      'The start is written together with the end: it may be waiting, running or retried. Only describe can tell.',
    applies: () => true,
  },
]
