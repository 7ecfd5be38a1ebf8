import { OPERATION_STATUSES } from '../operation.js'
import {
  arrivalPassedOrEarly,
  evidenceGiven,
  hasDuplicates,
  notDenied,
  notSuperseded,
  reasonGiven,
  targetAsAsked,
  versionAsSeen,
} from './guards/decision.js'
import { oursToSend } from './guards/importing.js'
import {
  attemptIsLive,
  clocksTrusted,
  endsLastDoubt,
  executorGone,
  isProbe,
  isReceipt,
  lateEndIs,
  maybeApplied,
  neverContradicted,
  neverReopened,
  neverSent,
  nothingApplied,
  nothingOnFile,
  onlyThisAttempt,
  otherAttemptInDoubt,
  probeAsSeen,
  wasSent,
} from './guards/outcome.js'
import { sameWriteOnce, taskNotCancelled } from './guards/preparing.js'
import {
  approvalMatches,
  budgetLeft,
  compensationAllowed,
  deadlineAhead,
  epochAsClaimed,
  fenceAsHeld,
  forRepeat,
  inputKept,
  noCancelAsked,
  noStrangerSeen,
  notInGrace,
  repeatSafeOrAccepted,
  retryTimeReached,
  sameIncarnation,
  taskRunning,
} from './guards/sending.js'
import { IMPORTS } from './import-rows.js'
import { row, type Transition } from './transition.js'

const sendable = [
  retryTimeReached,
  budgetLeft,
  repeatSafeOrAccepted,
  compensationAllowed,
  approvalMatches,
] as const
const byPerson = [reasonGiven, versionAsSeen] as const

/** Every move an operation can make. The stores, the diagram in docs/states.md and the tests read this table. */
export const TRANSITIONS: readonly Transition[] = [
  row('prepare', ['none'], 'prepared', 'the intent is written down', {
    guards: [taskNotCancelled, sameWriteOnce],
  }),
  row('send', ['prepared'], 'in_flight', 'an attempt is announced; bytes may leave from now on', {
    guards: [
      taskRunning,
      notInGrace,
      inputKept,
      epochAsClaimed,
      noCancelAsked,
      fenceAsHeld,
      noStrangerSeen,
      sameIncarnation,
      oursToSend,
      deadlineAhead,
      forRepeat(nothingOnFile),
      forRepeat(clocksTrusted),
      ...sendable,
    ],
    fences: true,
  }),
  row('accept', ['in_flight'], 'in_flight', 'the service took it in and works on it; its answer is awaited', {
    guards: [attemptIsLive],
  }),
  row('confirm', ['in_flight'], 'confirmed', 'there is a receipt', {
    when: [isReceipt],
    guards: [attemptIsLive, evidenceGiven],
    liveEnds: 'applied',
  }),
  row('confirm', ['in_flight', 'unknown'], 'confirmed', 'a probe found it', {
    when: [isProbe],
    guards: [evidenceGiven],
    liveEnds: 'ambiguous',
    fences: true,
  }),
  row('confirm', ['prepared'], 'confirmed', 'a probe found an earlier attempt of it', {
    when: [isProbe],
    guards: [maybeApplied, evidenceGiven],
    fences: true,
  }),
  row('reject', ['in_flight'], 'not_executed', 'it was refused for certain and no retry follows', {
    guards: [attemptIsLive, onlyThisAttempt, evidenceGiven],
    liveEnds: 'not_applied',
  }),
  row(
    'reject_in_doubt',
    ['in_flight'],
    'unknown',
    'this attempt was refused, another one may have taken effect',
    {
      guards: [attemptIsLive, otherAttemptInDoubt, evidenceGiven],
      liveEnds: 'not_applied',
    },
  ),
  row('schedule_retry', ['in_flight'], 'prepared', 'it was refused for certain and is tried again later', {
    guards: [attemptIsLive, noCancelAsked, budgetLeft, evidenceGiven],
    liveEnds: 'not_applied',
  }),
  row('lose', ['in_flight'], 'unknown', 'the answer was lost: it may have taken effect', {
    guards: [attemptIsLive],
    liveEnds: 'ambiguous',
  }),
  row('orphan', ['in_flight'], 'unknown', 'its executor is gone: it may have taken effect', {
    guards: [executorGone],
    liveEnds: 'ambiguous',
    fences: true,
  }),
  row('takeover', ['in_flight'], 'unknown', 'a person holds the task; bytes may still leave until send_by', {
    guards: [reasonGiven],
    liveEnds: 'ambiguous',
    fences: true,
  }),
  row('takeover', ['prepared'], 'prepared', 'a person holds the task; it is not sent until handback', {
    guards: [reasonGiven],
    fences: true,
  }),
  row('resend', ['unknown'], 'prepared', 'the same request is safe to send again', {
    guards: [
      taskRunning,
      noCancelAsked,
      neverReopened,
      nothingOnFile,
      clocksTrusted,
      sameIncarnation,
      oursToSend,
      budgetLeft,
      repeatSafeOrAccepted,
    ],
    fences: true,
  }),
  row('rerun', ['not_executed'], 'prepared', 'the same caller asks again for what certainly did not happen', {
    guards: [notDenied, noCancelAsked, nothingApplied, budgetLeft],
    fences: true,
  }),
  row(
    'allow_retry',
    ['unknown', 'not_executed', 'cancelled'],
    'prepared',
    'a person allows one more attempt',
    {
      guards: [...byPerson, notDenied, notSuperseded, noCancelAsked, repeatSafeOrAccepted],
      fences: true,
    },
  ),
  row(
    'withdraw',
    ['prepared'],
    'unknown',
    'the leave to send is gone, an earlier attempt may have taken effect',
    {
      when: [maybeApplied],
      guards: [reasonGiven],
      fences: true,
    },
  ),
  row('withdraw', ['prepared'], 'not_executed', 'the leave to send is gone, and no attempt took effect', {
    when: [wasSent],
    guards: [reasonGiven],
    fences: true,
  }),
  row('withdraw', ['prepared'], 'prepared', 'the leave to send is gone; nothing was sent, it waits', {
    guards: [reasonGiven],
    fences: true,
  }),
  row('absent', ['unknown'], 'not_executed', 'a probe proved that no attempt took effect or can any more', {
    guards: [probeAsSeen, neverContradicted, nothingOnFile, clocksTrusted, evidenceGiven],
    fences: true,
  }),
  row('resolve_confirmed', ['unknown', 'not_executed'], 'confirmed', 'a person saw that it took effect', {
    guards: [...byPerson, evidenceGiven, targetAsAsked],
    fences: true,
  }),
  row('resolve_confirmed', ['prepared'], 'confirmed', 'a person saw that an earlier attempt took effect', {
    guards: [...byPerson, maybeApplied, evidenceGiven, targetAsAsked],
    fences: true,
  }),
  row('resolve_not_executed', ['unknown'], 'not_executed', 'a person saw that it did not take effect', {
    guards: [...byPerson, evidenceGiven, arrivalPassedOrEarly],
    fences: true,
  }),
  row(
    'resolve_not_executed',
    ['prepared'],
    'not_executed',
    'a person saw that no earlier attempt took effect',
    {
      guards: [...byPerson, maybeApplied, evidenceGiven, arrivalPassedOrEarly],
      fences: true,
    },
  ),
  row('late_result', ['prepared', 'in_flight', 'unknown', 'confirmed'], 'confirmed', 'a receipt came late', {
    when: [lateEndIs('applied')],
    guards: [evidenceGiven],
    liveEnds: 'ambiguous',
    fences: true,
  }),
  row(
    'late_result',
    ['unknown'],
    'not_executed',
    'the last attempt in doubt turned out to have been refused',
    {
      when: [lateEndIs('not_applied'), endsLastDoubt],
      guards: [evidenceGiven],
      fences: true,
    },
  ),
  ...OPERATION_STATUSES.map(status =>
    row('late_result', [status], status, 'the late result of an attempt is kept', {
      when: [lateEndIs('not_applied', 'ambiguous')],
      guards: [evidenceGiven],
    }),
  ),
  row(
    'contradict',
    ['confirmed', 'not_executed', 'cancelled', 'abandoned'],
    'unknown',
    'evidence of the opposite came',
    {
      guards: [evidenceGiven],
      fences: true,
    },
  ),
  row('reopen', ['confirmed', 'not_executed', 'abandoned'], 'unknown', 'a person doubts how it was settled', {
    guards: byPerson,
    fences: true,
  }),
  ...withdrawals('cancel'),
  ...withdrawals('deny'),
  ...(['in_flight', 'unknown', 'confirmed'] as const).map(status =>
    row('question', [status], status, 'what it undoes is not confirmed any more'),
  ),
  ...(['unknown', 'confirmed'] as const).map(status =>
    row('acknowledge', [status], status, 'a person knows that more than one object carries its id', {
      guards: [...byPerson, hasDuplicates],
    }),
  ),
  row('abandon', ['unknown'], 'abandoned', 'nobody knows, and a person decided to stop asking', {
    guards: byPerson,
    fences: true,
  }),
  ...IMPORTS,
]

/** A cancel and a denial move alike; a denial is final. */
function withdrawals(event: 'cancel' | 'deny'): Transition[] {
  const decided = { guards: byPerson, fences: true } as const
  return [
    row(event, ['prepared'], 'cancelled', 'nothing was sent and nothing will be', {
      ...decided,
      when: [neverSent],
    }),
    row(event, ['prepared'], 'not_executed', 'no attempt took effect and none will follow', {
      ...decided,
      when: [nothingApplied],
    }),
    row(
      event,
      ['prepared'],
      'unknown',
      'no attempt will follow, an earlier one may have taken effect',
      decided,
    ),
    row(event, ['in_flight'], 'in_flight', 'no further attempt will follow; this proves nothing undone', {
      guards: byPerson,
    }),
    row(event, ['unknown'], 'unknown', 'no further attempt will follow; this proves nothing undone', {
      guards: byPerson,
    }),
  ]
}
