import { decide } from '../../../src/core/transitions/decide.js'
import type { Context, Request, State } from '../../../src/core/transitions/requests.js'
import { aContext, SEEN } from '../builders.js'

export const MINUTE = 60_000

export const seen = { evidence: [SEEN] }

export function bodyOf(state: State, request: Request, context: Partial<Context> = {}) {
  const decided = decide(state, request, aContext(context))
  if (!decided.ok) throw new Error(decided.refusal.reason)
  return decided.event.body
}
