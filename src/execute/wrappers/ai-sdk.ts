import type { JsonValue } from '../../core/json.js'
import { operationId } from '../../core/operation-id.js'
import type { HandlerContext } from '../handler.js'
import { contractOf, finalValue, type GuardingLedger, type ToolContract } from './guarded-call.js'
import { type Recovery, recoveryOf } from './recovery.js'

export type { GuardingLedger, ToolContract } from './guarded-call.js'
export type { Recovery } from './recovery.js'

/** What is needed of a tool of the Vercel AI SDK (`tool()` of `ai` 5 and 6). */
export interface AiTool<I, O, X> {
  // Declared as a method, so that a tool with narrower options fits.
  execute?(input: I, options: X): O
}

export interface GuardAiToolOptions<I> extends ToolContract {
  readonly task: string
  readonly step?: string
  /** where the task makes the same call more than once on purpose: which one this is */
  readonly n?: (input: I) => number
  readonly target?: (input: I) => string
  /** told of every call without a certain end, beside the model: to stop the run, to page somebody */
  readonly onUnfinished?: (recovery: Recovery) => void
}

/** What the model gets instead of a result. */
export interface Unfinished {
  readonly status: Recovery['status']
  readonly operation_id: string
  /** says whether it may be called again */
  readonly instruction: string
}

/**
 * A tool of the Vercel AI SDK whose calls go through the ledger: the same task, step, tool and input are the same
 * operation, whatever id the model gave the call. A call without a certain end does not throw, which a model would take
 * as an invitation to try again: its result says what is known. `execute` finds the key, and what else a handler is
 * given, as `agentLedger` in its options.
 */
export function guardAiTool<I, O, X extends object, T extends AiTool<I, O, X>>(
  ledger: GuardingLedger,
  name: string,
  tool: T & AiTool<I, O, X>,
  options: GuardAiToolOptions<I>,
): T {
  const { execute } = tool
  if (execute === undefined)
    throw new TypeError(`${name} has no execute: what is carried out elsewhere cannot be guarded here`)
  const guarded = async (input: I, given: X & { abortSignal?: AbortSignal }): Promise<unknown> => {
    const { task, step, n, target, onUnfinished } = options
    const named = { ...(step === undefined ? {} : { step }), ...(n === undefined ? {} : { n: n(input) }) }
    // The ledger checks it: what JSON cannot hold is refused, and nothing is sent.
    const json = input as JsonValue
    const call = {
      ...contractOf(options),
      id: operationId({ task, tool: name, input: json, ...named }),
      task,
      tool: name,
      input: json,
      ...(step === undefined ? {} : { step }),
      ...(target === undefined ? {} : { target: target(input) }),
    }
    const outcome = await ledger.run(call, context =>
      finalValue(execute.call(tool, input, withContext(given, context))),
    )
    if (outcome.status === 'confirmed' || outcome.status === 'unrecorded') return outcome.result ?? null
    const recovery = recoveryOf(outcome, call)
    onUnfinished?.(recovery)
    const unfinished: Unfinished = {
      status: recovery.status,
      operation_id: call.id,
      instruction: recovery.told,
    }
    return unfinished
  }
  // The result may be `Unfinished` instead of what the tool declares: what reaches the model is JSON either way.
  return { ...tool, execute: guarded } as T
}

function withContext<X extends object>(given: X & { abortSignal?: AbortSignal }, context: HandlerContext): X {
  const signals = given.abortSignal === undefined ? [context.signal] : [given.abortSignal, context.signal]
  return { ...given, abortSignal: AbortSignal.any(signals), agentLedger: context }
}
