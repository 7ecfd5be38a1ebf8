import type { Guard, Objection } from '../../../../src/core/transitions/guards/guard.js'
import type { Context, Request, State } from '../../../../src/core/transitions/requests.js'
import { aContext } from '../../builders.js'

/** What a guard says of a move; null: it lets it through. */
export function said(
  guard: Guard,
  state: State,
  request: Request,
  context: Partial<Context> = {},
): Objection | null {
  return guard.check({ state, request, context: aContext(context) })
}

export function withRow(state: State, over: Partial<State['operation']>): State {
  return { ...state, operation: { ...state.operation, ...over } }
}

export function withAttempts(state: State, ...over: readonly Partial<State['attempts'][number]>[]): State {
  const [first] = state.attempts
  if (first === undefined) throw new Error('something was sent')
  return { ...state, attempts: over.map((one, i) => ({ ...first, n: i + 1, ...one })) }
}
