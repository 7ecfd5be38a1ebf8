import { classify } from '../../core/classify/classify.js'
import { isLedgerError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import { operationId } from '../../core/operation-id.js'
import type { RunOutcome } from '../../core/run-outcome.js'
import type { HandlerContext } from '../handler.js'
import {
  contractOf,
  finalValue,
  type GuardedCall,
  type GuardingLedger,
  type ToolContract,
} from './guarded-call.js'
import { placeOf } from './langgraph-config.js'
import { type Recovery, recoveryOf, toldModel } from './recovery.js'

export type { GuardingLedger, ToolContract } from './guarded-call.js'
export { type Recovery, recoveryOf, toldModel } from './recovery.js'

export interface GuardToolOptions extends ToolContract {
  /**
   * LangGraph's own `interrupt`: a call in doubt, or one that waits, pauses the graph with its recovery record. Left
   * out: the model is told instead, and the graph goes on
   */
  readonly interrupt?: (recovery: Recovery) => unknown
  /** the task; default: the thread */
  readonly task?: string
  /** its name in the ledger and its configuration; default: the tool's own */
  readonly name?: string
  /** what is touched, for the order of writes on one target */
  readonly target?: (input: unknown) => string
}

/**
 * A LangChain tool whose calls go through the ledger: the same tool, with the same name and schema, for ToolNode, agents
 * and `invoke` inside of a node. Its operation is named after thread, checkpoint namespace, tool and ordinal, so that a
 * node that runs again comes to the same one and gets the recorded result. What the tool returns must be JSON. The tool
 * finds the key, and what else a handler is given, in `config.configurable.agentLedger`.
 * Written for `@langchain/core` 1.x, of which nothing is imported: a tool there is called through its `_call`.
 */
export function guardTool<T extends { readonly name: string }>(
  ledger: GuardingLedger,
  tool: T,
  options: GuardToolOptions = {},
): T {
  const inner: unknown = Reflect.get(tool, '_call')
  if (typeof inner !== 'function')
    throw new TypeError(
      `${tool.name} is no LangChain tool: it has no _call; make it with tool() of @langchain/core/tools`,
    )
  const guarded = async (input: unknown, manager: unknown, config: unknown): Promise<unknown> => {
    const call = callOf(tool.name, { input, config, options })
    for (;;) {
      const outcome = await ledger.run(call, context =>
        finalValue(inner.call(tool, input, manager, withContext(config, context))),
      )
      if (outcome.status === 'confirmed' || outcome.status === 'unrecorded') return outcome.result ?? null
      if (options.interrupt === undefined || !PAUSES.has(outcome.status)) return toldModel(outcome, call)
      // Without an answer this throws, and the graph pauses. An answer only means: look at the ledger again.
      options.interrupt(recoveryOf(outcome, call))
    }
  }
  // The tool itself with one method exchanged: `instanceof`, name and schema stay what they are.
  return Object.create(tool, { _call: { value: guarded } })
}

/** What only time or a person can change. */
const PAUSES: ReadonlySet<RunOutcome['status']> = new Set(['unknown', 'waiting', 'in_progress'])

interface Given {
  readonly input: unknown
  readonly config: unknown
  readonly options: GuardToolOptions
}

function callOf(toolName: string, { input, config, options }: Given): GuardedCall {
  const place = placeOf(config, toolName)
  const tool = options.name ?? toolName
  const task = options.task ?? place.thread
  const step = place.ordinal === '' ? place.namespace : `${place.namespace}/${place.ordinal}`
  return {
    ...contractOf(options),
    id: operationId({ task, step, tool }),
    task,
    tool,
    // The ledger checks it: what JSON cannot hold is refused, and nothing is sent.
    input: input as JsonValue,
    checkpoint: place.checkpoint,
    ...(place.checkpoint.node === undefined ? {} : { step: place.checkpoint.node }),
    ...(options.target === undefined ? {} : { target: options.target(input) }),
  }
}

function withContext(config: unknown, context: HandlerContext): object {
  const given = Object(config)
  const signals = [given.signal, context.signal].filter(signal => signal instanceof AbortSignal)
  return {
    ...given,
    signal: AbortSignal.any(signals),
    configurable: { ...given.configurable, agentLedger: context },
  }
}

/**
 * For a RetryPolicy of LangGraph: `{ retryOn }`. True only where the error proves that nothing took effect and the same
 * may work later: a connection that was refused, a ledger that was busy. LangGraph's own default repeats whatever it
 * does not know.
 */
export function retryOn(error: unknown): boolean {
  if (isLedgerError(error)) return error.code === 'busy'
  const { end, retryable } = classify(error)
  return end === 'not_applied' && retryable
}
