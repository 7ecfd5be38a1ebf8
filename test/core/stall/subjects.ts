import type { Attempt } from '../../../src/core/attempt.js'
import type { Operation } from '../../../src/core/operation.js'
import type { OperationSubject, StallRuleId } from '../../../src/core/stall/rule.js'
import { stallsOf } from '../../../src/core/stall/stalls.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { asked, aTask, following, moved, NOON, stampAt } from '../builders.js'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** Prepared at noon. */
export function prepared(over: Parameters<typeof asked.prepare>[0] = {}): State {
  return following([asked.prepare(over)])
}

/** Prepared and sent at noon; lease of a minute unless said otherwise. */
export function sent(over: Parameters<typeof asked.prepare>[0] = {}, send: object = {}): State {
  return following([asked.prepare(over), asked.send(send)])
}

export function later(state: State, request: Request, at: number, context: Partial<Context> = {}): State {
  return moved(state, request, { now: stampAt(at), ...context })
}

/** Columns a signal would have written. */
export function withColumns(
  state: State,
  columns: Partial<Operation>,
  attempt: Partial<Attempt> = {},
): State {
  const attempts = state.attempts.map((one, i) =>
    i === state.attempts.length - 1 ? { ...one, ...attempt } : one,
  )
  return { operation: { ...state.operation, ...columns }, attempts }
}

export function subjectOf(state: State, at: number, over: Partial<OperationSubject> = {}): OperationSubject {
  return {
    operation: state.operation,
    attempts: state.attempts,
    task: aTask(),
    twin: null,
    look: { now: stampAt(at), isOwnerGone: () => false },
    config: {},
    lastEventAt: null,
    ...over,
  }
}

/** Ids of the rules that speak at `NOON + afterMs`. */
export function rulesAfter(
  state: State,
  afterMs: number,
  over: Partial<OperationSubject> = {},
): readonly StallRuleId[] {
  return stallsOf(subjectOf(state, NOON + afterMs, over)).map(({ rule }) => rule)
}
