import type { ReadOptions } from '../../../src/sources/source.js'
import {
  type Attributes,
  completed,
  describeAnswer,
  payload,
  scheduled,
  started,
  T0,
  timedOut,
} from './build-history.js'

type Part = readonly [string, Attributes?]
type Case = readonly [
  rule: string,
  status: string,
  parts: readonly Part[],
  described?: unknown,
  options?: ReadOptions,
]

const failed = (failure: Attributes, more: Attributes = {}): Part => [
  'ACTIVITY_TASK_FAILED',
  { scheduledEventId: '5', startedEventId: '6', failure, ...more },
]
const canceled = (more: Attributes = {}): Part => [
  'ACTIVITY_TASK_CANCELED',
  { scheduledEventId: '5', ...more },
]
const cause = { message: 'reset by peer', applicationFailureInfo: { type: 'NetworkError' } }
const closed: Part = ['WORKFLOW_EXECUTION_COMPLETED', { workflowTaskCompletedEventId: '4' }]
const child = (...rest: Part[]): Part[] => [
  [
    'START_CHILD_WORKFLOW_EXECUTION_INITIATED',
    { workflowId: 'kid', workflowType: { name: 'Kid' }, workflowTaskCompletedEventId: '4' },
  ],
  ...rest,
]
const childStarted: Part = [
  'CHILD_WORKFLOW_EXECUTION_STARTED',
  { initiatedEventId: '5', workflowExecution: { workflowId: 'kid', runId: 'kid-run' } },
]
const childEnd = (how: string): Part => [`CHILD_WORKFLOW_EXECUTION_${how}`, { initiatedEventId: '5' }]
const childRefused = (why: string): Part => [
  'START_CHILD_WORKFLOW_EXECUTION_FAILED',
  { initiatedEventId: '5', cause: `START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_${why}` },
]
const signal = (...rest: Part[]): Part[] => [
  [
    'SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED',
    { signalName: 'go', workflowExecution: { workflowId: 'other' }, workflowTaskCompletedEventId: '4' },
  ],
  ...rest,
]
const notSignaled = (why: string): Part => [
  'SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED',
  { initiatedEventId: '5', cause: `SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_${why}` },
]
const nexus = (...rest: Part[]): Part[] => [
  [
    'NEXUS_OPERATION_SCHEDULED',
    {
      endpoint: 'pay',
      service: 'Payments',
      operation: 'charge',
      requestId: 'r-1',
      workflowTaskCompletedEventId: '4',
    },
  ],
  ...rest,
]
const nexusStarted: Part = ['NEXUS_OPERATION_STARTED', { scheduledEventId: '5', operationToken: 'tok-1' }]
const nexusEnd = (how: string, failure?: Attributes): Part => [
  `NEXUS_OPERATION_${how}`,
  { scheduledEventId: '5', ...(failure === undefined ? {} : { failure }) },
]
const handlerError = (type: string) => ({
  message: 'nexus operation completed unsuccessfully',
  nexusOperationExecutionFailureInfo: {},
  cause: { message: 'no', nexusHandlerFailureInfo: { type } },
})
const marker = (more: Attributes): Part => [
  'MARKER_RECORDED',
  {
    markerName: 'core_local_activity',
    details: { data: { payloads: [payload({ seq: 1, attempt: 1, activity_type: 'charge' })] } },
    ...more,
  },
]
const at = (seconds: number) => new Date(T0 + seconds * 1000).toISOString()
const running = { state: 'PENDING_ACTIVITY_STATE_STARTED', attempt: 1, lastStartedTime: at(6) }
const waiting = { state: 'PENDING_ACTIVITY_STATE_SCHEDULED', attempt: 1, scheduledTime: at(5) }
const terminated = { status: 'WORKFLOW_EXECUTION_STATUS_TERMINATED' }

/** For every rule of outcomes at least one history that it decides. */
export const CASES: readonly Case[] = [
  ['completed', 'confirmed', [scheduled(), started(), completed()]],
  ['completed_after_retries', 'confirmed', [scheduled(), started({ attempt: 2 }), completed()]],
  [
    'completed_by_hand',
    'confirmed',
    [scheduled(), started(), completed({ identity: 'temporal-cli:lee@desk' })],
  ],
  [
    'result_too_large',
    'confirmed',
    [
      scheduled(),
      started(),
      failed({ message: 'Complete result exceeds size limit.', serverFailureInfo: {} }),
    ],
  ],
  [
    'failed_by_server',
    'unknown',
    [
      scheduled(),
      started(),
      failed({ message: 'Heartbeat details exceed size limit.', serverFailureInfo: {} }),
    ],
  ],
  [
    'failed_by_reset',
    'unknown',
    [scheduled(), started(), failed({ message: 'reset', resetWorkflowFailureInfo: {} })],
  ],
  [
    'failed_canceled',
    'unknown',
    [scheduled(), started(), failed({ message: 'stop', canceledFailureInfo: {} })],
  ],
  ['failed', 'unknown', [scheduled(), started(), failed(cause)]],
  [
    'failed',
    'unknown',
    [scheduled(), started(), failed({ message: 'Failure exceeds size limit.', serverFailureInfo: {} })],
  ],
  [
    'timed_out_start_to_close',
    'unknown',
    [scheduled(), started(), timedOut('TIMEOUT_TYPE_START_TO_CLOSE', { startedEventId: '6' })],
  ],
  [
    'timed_out_heartbeat',
    'unknown',
    [scheduled(), started(), timedOut('TIMEOUT_TYPE_HEARTBEAT', { startedEventId: '6' })],
  ],
  [
    'timed_out_schedule_to_close_running',
    'unknown',
    [scheduled(), started(), timedOut('TIMEOUT_TYPE_SCHEDULE_TO_CLOSE', { startedEventId: '6' })],
  ],
  [
    'timed_out_schedule_to_close_after_attempt',
    'unknown',
    [scheduled(), timedOut('TIMEOUT_TYPE_SCHEDULE_TO_CLOSE', { startedEventId: '0' }, cause)],
  ],
  [
    'timed_out_schedule_to_close_never_started',
    'not_executed',
    [scheduled(), timedOut('TIMEOUT_TYPE_SCHEDULE_TO_CLOSE', { startedEventId: '0' })],
  ],
  [
    'timed_out_schedule_to_start_after_attempt',
    'unknown',
    [scheduled(), timedOut('TIMEOUT_TYPE_SCHEDULE_TO_START', {}, cause)],
  ],
  ['timed_out_schedule_to_start', 'not_executed', [scheduled(), timedOut('TIMEOUT_TYPE_SCHEDULE_TO_START')]],
  ['timed_out', 'unknown', [scheduled(), timedOut('TIMEOUT_TYPE_UNSPECIFIED')]],
  ['canceled_running', 'unknown', [scheduled(), started(), canceled({ startedEventId: '6' })]],
  [
    'canceled_never_started',
    'not_executed',
    [scheduled({ retryPolicy: { maximumAttempts: 1 } }), canceled()],
  ],
  ['canceled_waiting', 'unknown', [scheduled({ retryPolicy: { maximumAttempts: 2 } }), canceled()]],
  ['closed_never_started', 'not_executed', [scheduled(), closed], describeAnswer([waiting], terminated)],
  ['closed_pending', 'unknown', [scheduled(), closed], describeAnswer([running], terminated)],
  [
    'closed_pending',
    'unknown',
    [scheduled(), closed],
    describeAnswer([{ ...waiting, attempt: 2 }], terminated),
  ],
  ['waiting_first_attempt', 'prepared', [scheduled()], describeAnswer([waiting])],
  ['waiting_first_attempt', 'prepared', [scheduled()], describeAnswer([{ ...waiting, state: 'Paused' }])],
  [
    'waiting_retry',
    'unknown',
    [scheduled()],
    describeAnswer([{ ...waiting, attempt: 2, lastFailure: cause }]),
  ],
  ['waiting_retry', 'unknown', [scheduled()], describeAnswer([{ ...waiting, lastFailure: cause }])],
  ['waiting_retry', 'unknown', [scheduled()], describeAnswer([{ ...waiting, lastStartedTime: at(6) }])],
  ['running', 'in_flight', [scheduled()], describeAnswer([running])],
  ['running', 'in_flight', [scheduled()], describeAnswer([running]), { now: T0 + 16_000 }],
  ['running_overdue', 'unknown', [scheduled()], describeAnswer([running]), { now: T0 + 16_001 }],
  [
    'running',
    'in_flight',
    [scheduled({ startToCloseTimeout: '900s', heartbeatTimeout: '30s' })],
    describeAnswer([{ ...running, lastHeartbeatTime: at(60), heartbeatDetails: [2] }]),
    { now: T0 + 90_000 },
  ],
  [
    'running_overdue',
    'unknown',
    [scheduled({ startToCloseTimeout: '900s', heartbeatTimeout: '30s' })],
    describeAnswer([{ ...running, lastHeartbeatTime: at(60), heartbeatDetails: [2] }]),
    { now: T0 + 90_001 },
  ],
  ['running', 'in_flight', [scheduled()], describeAnswer([{ ...running, state: 'CancelRequested' }])],
  [
    'running_workers_stopped',
    'unknown',
    [scheduled()],
    describeAnswer([running]),
    { assumeWorkersStopped: true },
  ],
  ['no_longer_pending', 'unknown', [scheduled()], describeAnswer([])],
  ['end_not_in_file', 'unknown', [scheduled()], describeAnswer([], { historyLength: '9' })],
  ['cancel_asked', 'unknown', [scheduled(), ['ACTIVITY_TASK_CANCEL_REQUESTED', { scheduledEventId: '5' }]]],
  ['started_only', 'unknown', [scheduled(), started()]],
  ['scheduled_only', 'unknown', [scheduled()]],
  ['scheduled_only_closed', 'unknown', [scheduled(), closed]],
  ['local_completed', 'confirmed', [marker({})]],
  ['local_failed', 'unknown', [marker({ failure: cause })]],
  ['child_completed', 'confirmed', child(childStarted, childEnd('COMPLETED'))],
  ['child_already_exists', 'not_executed', child(childRefused('WORKFLOW_ALREADY_EXISTS'))],
  ['child_refused', 'not_executed', child(childRefused('NAMESPACE_NOT_FOUND'))],
  ['child_start_failed', 'unknown', child(childRefused('SOMETHING_NEW'))],
  ['child_ended', 'unknown', child(childStarted, childEnd('TERMINATED'))],
  ['child_running', 'in_flight', child(childStarted)],
  ['child_left', 'unknown', child(childStarted, closed)],
  ['child_initiated', 'unknown', child()],
  ['delivered', 'confirmed', signal(['EXTERNAL_WORKFLOW_EXECUTION_SIGNALED', { initiatedEventId: '5' }])],
  ['not_delivered', 'not_executed', signal(notSignaled('EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND'))],
  ['not_delivered', 'not_executed', signal(notSignaled('SIGNAL_COUNT_LIMIT_EXCEEDED'))],
  ['delivery_failed', 'unknown', signal(notSignaled('SOMETHING_NEW'))],
  ['delivery_open', 'unknown', signal()],
  ['nexus_completed', 'confirmed', nexus(nexusEnd('COMPLETED'))],
  ['nexus_turned_away', 'not_executed', nexus(nexusEnd('FAILED', handlerError('BAD_REQUEST')))],
  ['nexus_failed', 'unknown', nexus(nexusStarted, nexusEnd('FAILED', handlerError('BAD_REQUEST')))],
  ['nexus_failed', 'unknown', nexus(nexusEnd('FAILED', handlerError('INTERNAL')))],
  [
    'nexus_timed_out',
    'unknown',
    nexus(
      nexusEnd('TIMED_OUT', {
        cause: { timeoutFailureInfo: { timeoutType: 'TIMEOUT_TYPE_SCHEDULE_TO_START' } },
      }),
    ),
  ],
  ['nexus_canceled', 'unknown', nexus(nexusStarted, nexusEnd('CANCELED'))],
  ['nexus_running', 'in_flight', nexus(nexusStarted)],
  ['nexus_left', 'unknown', nexus(nexusStarted, closed)],
  ['nexus_scheduled', 'unknown', nexus()],
]
