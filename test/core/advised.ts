import { type NextActionQuestion, nextAction } from '../../src/core/next-action.js'
import type { Operation } from '../../src/core/operation.js'
import type { State } from '../../src/core/transitions/requests.js'
import { aTask, NOON, stampAt } from './builders.js'

export const nobodyGone = () => false

export function advise(state: State, over: Partial<NextActionQuestion> = {}, row: Partial<Operation> = {}) {
  return nextAction({
    operation: { ...state.operation, ...row },
    look: { now: stampAt(NOON), isOwnerGone: nobodyGone },
    task: aTask(),
    targetTouched: null,
    ...over,
  })
}

export const at = (ms: number) => ({ look: { now: stampAt(NOON + ms), isOwnerGone: nobodyGone } })
