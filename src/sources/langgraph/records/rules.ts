import type { WillRun } from '../../../core/checkpoint.js'
import type { OperationStatus } from '../../../core/operation.js'
import { callIdOf } from '../messages.js'
import type { AskedCall } from './calls.js'

/** What is known of the thread around a call. */
export interface CallFacts extends AskedCall {
  /** the task that a resume would run for this call, or for all calls of its message */
  readonly run: WillRun | undefined
  /** the superstep in which it was asked for has tasks without a result */
  readonly isSuperstepOpen: boolean
}

interface CallRule {
  readonly id: string
  readonly title: string
  readonly reason: string
  readonly status: OperationStatus
  readonly applies: (facts: CallFacts) => boolean
  /** what stands in the record */
  readonly says: (facts: CallFacts) => string
}

/**
 * What a tool call in a conversation proves; the first rule that applies decides. None says `not_executed` or `prepared`:
 * the store of a graph holds what has finished, and with durability "async" a node may have begun, and done everything it
 * does, while even the results before it were still on their way.
 */
export const CALL_RULES: readonly CallRule[] = [
  {
    id: 'langgraph.tool_answered',
    title: 'the tool returned',
    reason:
      'A tool message without an error is made after the tool has returned. What the tool did outside is its own word.',
    status: 'confirmed',
    applies: ({ answers }) => answers.some(({ message, spoken }) => !message.isError && !spoken.isByHand),
    says: ({ answers }) =>
      answers.length === 1
        ? 'the tool returned'
        : `${answers.length} answers are stored, one without an error`,
  },
  {
    id: 'langgraph.tool_answered_by_hand',
    title: 'a person wrote the answer',
    reason:
      'updateState stores an answer without running the tool; whether the tool ran before is not in it.',
    status: 'unknown',
    applies: ({ answers }) => answers.some(({ spoken }) => spoken.isByHand),
    says: () => 'its answer was written by an update of the state, not by a tool',
  },
  {
    id: 'langgraph.tool_answered_error',
    title: 'the tool ended with an error',
    reason: 'An exception, a lost answer and a refusal look the same; each may come after the effect.',
    status: 'unknown',
    applies: ({ answers }) => answers.length > 0,
    says: () => 'the tool ended with an error, which does not prove that nothing happened',
  },
  {
    id: 'langgraph.tool_asked_person',
    title: 'the node that runs it waits for a person',
    reason: 'It ran up to its question; what the tool did before that happened.',
    status: 'unknown',
    applies: ({ run }) => run?.reason === 'interrupted',
    says: ({ run }) => `${run?.node} stopped at a question; what it did before is not stored`,
  },
  {
    id: 'langgraph.tool_node_failed',
    title: 'the node that runs it failed',
    reason: 'An error of the node says nothing of the calls it had made until then.',
    status: 'unknown',
    applies: ({ run }) => run?.reason === 'errored',
    says: ({ run }) => `${run?.node} failed, and what it had done by then is not stored`,
  },
  {
    id: 'langgraph.tool_superstep_open',
    title: 'asked for in a superstep that is not over',
    reason:
      'What comes next should not have begun. With durability "async" it may have, before the results of its superstep were stored.',
    status: 'unknown',
    applies: ({ isSuperstepOpen }) => isSuperstepOpen,
    says: () => 'it was asked for in a superstep that, as far as is stored, is not over',
  },
  {
    id: 'langgraph.tool_unfinished',
    title: 'the node that runs it has no result',
    reason: 'Never started, waiting at a breakpoint and killed after its effect leave the same: nothing.',
    status: 'unknown',
    applies: ({ run }) => run !== undefined,
    says: ({ run }) => `${run?.node} has no result: it never started, or was stopped anywhere in it`,
  },
  {
    id: 'langgraph.tool_unanswered',
    title: 'no answer is stored',
    reason: 'The thread went on or ended without one, or the run that made it stored nothing.',
    status: 'unknown',
    applies: () => true,
    says: () => 'no answer to it is stored',
  },
]

/** The run that a call without an answer belongs to: a task of its own, else the only node that runs and is nobody's own. */
export function runOf({ call, answers, asked }: AskedCall, willRun: readonly WillRun[]): WillRun | undefined {
  if (answers.length > 0) return undefined
  const own = willRun.find(run => run.args !== undefined && callIdOf(run.args) === call.id)
  if (own !== undefined) return own
  const inside = asked.namespace === '' ? '' : `${asked.namespace}|`
  const shared = willRun.filter(
    ({ namespace, args, reason }) =>
      reason !== 'error_handler' &&
      (args === undefined || callIdOf(args) === undefined) &&
      (namespace === null ? inside === '' : namespace.startsWith(inside)),
  )
  return shared.length === 1 ? shared[0] : undefined
}
