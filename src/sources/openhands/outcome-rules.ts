import type { AttemptEnd } from '../../core/attempt.js'
import type { OperationStatus } from '../../core/operation.js'
import type { ActionSeen, AnswerSeen } from './happening.js'

/** An action with all that is known of it when its outcome is decided. */
export interface Pair {
  readonly action: ActionSeen
  /** what counts as its answer; null where none came */
  readonly answer: AnswerSeen | null
  /** the answer came to a later look at the running command */
  readonly isLater: boolean
  /** the command is the last of its shell, and nothing says that its conversation has stopped */
  readonly mayStillRun: boolean
}

interface OutcomeRule {
  readonly id: string
  readonly title: string
  /** why an event of this kind means this status */
  readonly reason: string
  readonly applies: (pair: Pair) => boolean
  readonly status: OperationStatus
  /** how the one attempt ended: `none` = nothing was sent, null = it may be under way */
  readonly end: AttemptEnd | 'none' | null
}

/** What became of an action of OpenHands. The first rule that applies decides; the last ones apply to what is left. */
export const OUTCOME_RULES: readonly OutcomeRule[] = [
  {
    id: 'openhands.not_valid',
    title: 'the call is recorded without an action',
    reason: 'Its arguments did not pass the tool’s check, so there was nothing to carry out.',
    applies: ({ action }) => action.standing === 'not_valid',
    status: 'not_executed',
    end: 'none',
  },
  {
    id: 'openhands.rejected',
    title: 'a person or a hook rejected it',
    reason:
      'A rejection is asked for before the action is handed to its tool, and recorded in place of an answer.',
    applies: ({ action, answer }) => action.standing === 'rejected' || answer?.kind === 'rejected',
    status: 'not_executed',
    end: 'none',
  },
  {
    id: 'openhands.awaiting_confirmation',
    title: 'it is recorded as waiting for a person (V0)',
    reason: 'V0 records an action that was allowed a second time before it runs; this one was recorded once.',
    applies: ({ action, answer }) => action.standing === 'awaiting' && answer === null,
    status: 'prepared',
    end: 'none',
  },
  {
    id: 'openhands.no_answer',
    title: 'nothing came back for it',
    reason:
      'An action is recorded before it is carried out. One that waits for confirmation looks the same: the state on the disk is saved only after the step that follows the confirmation.',
    applies: ({ answer }) => answer === null,
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.restart_error',
    title: 'an error says that a restart came in between',
    reason:
      'The server writes it for an action without an answer after a crash. It knows nothing of what the tool had done, and says “did not complete” all the same.',
    applies: ({ answer }) => answer?.kind === 'restart',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.interrupted_error',
    title: 'an error says that the call was interrupted',
    reason:
      'It is written for every action without an answer when a person pauses; the tool may have finished.',
    applies: ({ answer }) => answer?.kind === 'interrupted',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.not_executed_claim',
    title: 'an error says that the action was not executed (V0)',
    reason: 'V0 writes it after a restart for an action without an answer, whether it ran or not.',
    applies: ({ answer }) => answer?.kind === 'not_executed_claim',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.error_event',
    title: 'OpenHands wrote an error in place of an answer',
    reason: 'The tool raised an error; what it had done by then is not recorded.',
    applies: ({ answer }) => answer?.kind === 'error',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.tool_error',
    title: 'the tool says that it failed',
    reason: 'A tool that fails may have done a part, or lost the answer to what it sent.',
    applies: ({ answer }) => answer?.kind === 'failed',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.still_running',
    title: 'the command had not ended when it was last seen',
    reason:
      'Exit code -1 and a timeout mean that OpenHands stopped waiting; the process goes on. Nothing after it says that the command or the conversation ended.',
    applies: ({ answer, mayStillRun }) => answer?.kind === 'running' && mayStillRun,
    status: 'in_flight',
    end: null,
  },
  {
    id: 'openhands.left_running',
    title: 'the command was left while it ran',
    reason:
      'The conversation ended, or its shell was used again or reset, and nothing says how the command ended.',
    applies: ({ answer }) => answer?.kind === 'running',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.exit_code',
    title: 'the command ended with an exit code other than 0',
    reason: 'Only the program knows what it had done before it gave up.',
    applies: ({ answer }) => answer !== null && answer.exitCode !== null && answer.exitCode !== 0,
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.no_verdict',
    title: 'the output does not say whether it worked (V0)',
    reason: 'A cell of IPython comes back the same way whether its code raised an error or not.',
    applies: ({ answer }) => answer?.kind === 'no_verdict',
    status: 'unknown',
    end: 'ambiguous',
  },
  {
    id: 'openhands.finished_later',
    title: 'a later look at the command shows that it ended with 0',
    reason: 'The shell gives the exit code of the command that ran in it to whoever looks next.',
    applies: ({ isLater }) => isLater,
    status: 'confirmed',
    end: 'applied',
  },
  {
    id: 'openhands.exit_code_zero',
    title: 'the command ended with exit code 0',
    reason: 'It is the first and only sending, and the program says that it did what it was asked to.',
    applies: ({ answer }) => answer?.exitCode === 0,
    status: 'confirmed',
    end: 'applied',
  },
  {
    id: 'openhands.observed',
    title: 'the tool answered, and says nothing of a failure',
    reason: 'The observation is the tool’s own receipt.',
    applies: () => true,
    status: 'confirmed',
    end: 'applied',
  },
]

export function outcomeOf(pair: Pair): OutcomeRule {
  const rule = OUTCOME_RULES.find(({ applies }) => applies(pair))
  if (rule === undefined) throw new Error('the last rule applies to everything')
  return rule
}
