import type { Call } from '../call.js'
import type { OutcomeRule } from './rule.js'

/** Local activities run inside a workflow task and leave one marker, once they are over. */
export const LOCAL_ACTIVITY_RULES: readonly OutcomeRule[] = [
  {
    id: 'temporal.local_completed',
    title: 'its marker has a result',
    status: 'confirmed',
    reason: 'The worker recorded success.',
    applies: ({ end }) => end?.how === 'COMPLETED',
  },
  {
    id: 'temporal.local_failed',
    title: 'its marker has a failure',
    status: 'unknown',
    reason: 'The code ran until an error. Its outside write may have happened before the error was raised.',
    applies: () => true,
  },
]

/** Child workflows. The operation is the whole child: its own history tells what it did. */
export const CHILD_RULES: readonly OutcomeRule[] = [
  {
    id: 'temporal.child_completed',
    title: 'the child completed',
    status: 'confirmed',
    reason: 'The child workflow came to its end.',
    applies: ({ end }) => end?.how === 'COMPLETED',
  },
  {
    id: 'temporal.child_already_exists',
    title: 'the start was refused: a workflow of that id exists',
    status: 'not_executed',
    reason: 'This start did nothing. A workflow of the same id exists: look at it.',
    applies: ({ end }) => end?.how === 'START_FAILED' && end.cause === 'WORKFLOW_ALREADY_EXISTS',
  },
  {
    id: 'temporal.child_refused',
    title: 'the start was refused: no such namespace, or its version',
    status: 'not_executed',
    reason: 'The server refused the start before there was a child.',
    applies: ({ end }) =>
      end?.how === 'START_FAILED' &&
      (end.cause === 'NAMESPACE_NOT_FOUND' || end.cause === 'INVALID_VERSIONING_OVERRIDE'),
  },
  {
    id: 'temporal.child_start_failed',
    title: 'the start failed otherwise',
    status: 'unknown',
    reason: 'The cause is none that rules a child out.',
    applies: ({ end }) => end?.how === 'START_FAILED',
  },
  {
    id: 'temporal.child_ended',
    title: 'the child failed, timed out, was cancelled or terminated',
    status: 'unknown',
    reason: 'What it did before is in its own history: read that one too.',
    applies: ({ end }) => end !== null,
  },
  {
    id: 'temporal.child_running',
    title: 'the child has started',
    status: 'in_flight',
    reason: 'It exists and runs by itself: ask for its workflow id.',
    applies: ({ started }, around) => started !== null && isLive(around),
  },
  {
    id: 'temporal.child_left',
    title: 'the child has started, and its end is not in the file',
    status: 'unknown',
    reason:
      'What becomes of it after its parent’s end follows the parent close policy and is in its own history.',
    applies: ({ started }) => started !== null,
  },
  {
    id: 'temporal.child_initiated',
    title: 'the start was asked for, and no answer is recorded',
    status: 'unknown',
    reason:
      'The server repeats the start until it is answered: the child may exist. Ask for its workflow id.',
    applies: () => true,
  },
]

/** Signals and cancel requests to other workflows: a delivery, not what is made of it. */
export const SIGNAL_RULES: readonly OutcomeRule[] = [
  {
    id: 'temporal.delivered',
    title: 'delivered',
    status: 'confirmed',
    reason: 'It stands in the history of the other workflow. Whether that one acted on it is not said.',
    applies: ({ end }) => end?.how === 'DELIVERED',
  },
  {
    id: 'temporal.not_delivered',
    title: 'not delivered: no such workflow or namespace, or too many signals',
    status: 'not_executed',
    reason: 'The server refused it before it reached the other workflow.',
    applies: ({ end }) =>
      end?.how === 'START_FAILED' &&
      [
        'EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND',
        'NAMESPACE_NOT_FOUND',
        'SIGNAL_COUNT_LIMIT_EXCEEDED',
      ].includes(end.cause ?? ''),
  },
  {
    id: 'temporal.delivery_failed',
    title: 'not delivered, for another cause',
    status: 'unknown',
    reason: 'The cause is none that rules a delivery out.',
    applies: ({ end }) => end !== null,
  },
  {
    id: 'temporal.delivery_open',
    title: 'asked for, and no answer is recorded',
    status: 'unknown',
    reason: 'The server goes on delivering it, under one request id that the other workflow knows again.',
    applies: () => true,
  },
]

// Errors of a Nexus handler that say: the request was looked at and turned away.
const TURNED_AWAY = new Set([
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'UNAUTHORIZED',
  'NOT_FOUND',
  'NOT_IMPLEMENTED',
])

export const NEXUS_RULES: readonly OutcomeRule[] = [
  {
    id: 'temporal.nexus_completed',
    title: 'completed',
    status: 'confirmed',
    reason: 'The handler reported success.',
    applies: ({ end }) => end?.how === 'COMPLETED',
  },
  {
    id: 'temporal.nexus_turned_away',
    title: 'failed before it was accepted, with an error that turns requests away',
    status: 'not_executed',
    reason: 'The handler’s error says that the request was refused as it was, and no start was recorded.',
    applies: call =>
      call.end?.how === 'FAILED' && call.started === null && TURNED_AWAY.has(handlerErrorOf(call) ?? ''),
  },
  {
    id: 'temporal.nexus_failed',
    title: 'failed',
    status: 'unknown',
    reason: 'The handler said that it failed; how far it had come is not said.',
    applies: ({ end }) => end?.how === 'FAILED',
  },
  {
    id: 'temporal.nexus_timed_out',
    title: 'timed out, of whatever kind',
    status: 'unknown',
    reason: 'Start requests may have reached the handler without an answer, even where no start is recorded.',
    applies: ({ end }) => end?.how === 'TIMED_OUT',
  },
  {
    id: 'temporal.nexus_canceled',
    title: 'cancelled',
    status: 'unknown',
    reason: 'It may have been cut off on its way, and not only because a cancel was asked for.',
    applies: ({ end }) => end !== null,
  },
  {
    id: 'temporal.nexus_running',
    title: 'started',
    status: 'in_flight',
    reason: 'The handler accepted it and works on it: ask there, with the token.',
    applies: ({ started }, around) => started !== null && isLive(around),
  },
  {
    id: 'temporal.nexus_left',
    title: 'started, and its end is not in the file',
    status: 'unknown',
    reason: 'The handler accepted it; ask there, with the token.',
    applies: ({ started }) => started !== null,
  },
  {
    id: 'temporal.nexus_scheduled',
    title: 'scheduled, without an answer',
    status: 'unknown',
    reason: 'A synchronous operation never records a start, and the server repeats the request by itself.',
    applies: () => true,
  },
]

function isLive({ isClosed, isCut, assumeWorkersStopped }: Parameters<OutcomeRule['applies']>[1]): boolean {
  return !isClosed && !isCut && !assumeWorkersStopped
}

function handlerErrorOf({ end }: Call): string | null {
  for (let failure = end?.failure ?? null; failure !== null; failure = failure.cause)
    if (failure.kind === 'nexus_handler') return failure.type
  return null
}
