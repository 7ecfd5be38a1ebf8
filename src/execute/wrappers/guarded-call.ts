import type { JsonValue } from '../../core/json.js'
import type { CheckpointRef, Contract, Effect, Repeat } from '../../core/operation.js'
import type { RunOutcome } from '../../core/run-outcome.js'
import type { Handler } from '../handler.js'

/** What the wrappers need of an open ledger. */
export interface GuardingLedger {
  run<T>(call: GuardedCall, handler: Handler<T>): Promise<RunOutcome<T>>
}

/** One call of a tool as the ledger keeps it. */
export interface GuardedCall extends ToolContract {
  readonly id: string
  readonly task: string
  readonly tool: string
  readonly input: JsonValue
  readonly step?: string
  readonly target?: string
  readonly checkpoint?: CheckpointRef
}

/** What holds for every call of a tool; where it is left out, the configuration of the ledger says it. */
export interface ToolContract {
  readonly effect?: Effect
  readonly repeat?: Repeat
  readonly contract?: Contract
  readonly phase?: string
  readonly maxAttempts?: number
  /** milliseconds */
  readonly timeoutMs?: number
}

/** The fields of a contract, without those that a wrapper adds of its own. */
export function contractOf(options: ToolContract): ToolContract {
  const { effect, repeat, contract, phase, maxAttempts, timeoutMs } = options
  return {
    ...(effect === undefined ? {} : { effect }),
    ...(repeat === undefined ? {} : { repeat }),
    ...(contract === undefined ? {} : { contract }),
    ...(phase === undefined ? {} : { phase }),
    ...(maxAttempts === undefined ? {} : { maxAttempts }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** The last value of a tool that streams its answer; any other value as it is. */
export async function finalValue(returned: unknown): Promise<unknown> {
  const value = await returned
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return value
  // The check above says no more of the value than that it can be iterated.
  const steps = (value as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  let last: unknown
  for (;;) {
    const step = await steps.next()
    if (step.done === true) return step.value ?? last
    last = step.value
  }
}
