import { ACTIONS_KEPT, type Action, fingerprintOf } from '../../action.js'
import { callsSince, isAnswered, loopFound, tailOf } from '../loop.js'
import type { StallRule, TaskSubject } from '../rule.js'

/** A loop of one is the business of the rules about the same call. */
const PERIODS = [2, 3, 4, 5] as const

/** The limit counts actions of a loop of two; a longer loop has to come round as often. */
export const loopAlternating: StallRule<TaskSubject> = {
  id: 'loop_alternating',
  title: 'a few calls with their answers come round and round (2 to 5 of them)',
  reason: 'each round ends where the last one ended',
  check: subject => {
    const steps = tailOf(callsSince(subject), isAnswered).flatMap(each).slice(-ACTIONS_KEPT)
    const marks = steps.map(fingerprintOf)
    for (const period of PERIODS) {
      const length = lengthOf(marks, period)
      const rounds = Math.floor(length / period)
      if (length < period || isUniform(marks.slice(-period))) continue
      const found = loopFound(subject, {
        rule: 'loop_alternating',
        what: `the same ${period} calls with the same answers`,
        actions: steps.slice(-rounds * period),
        times: rounds,
        needed: limit => Math.max(2, Math.ceil(limit / 2)),
        facts: { period },
      })
      if (found !== null) return found
    }
    return null
  },
}

/** Those that were counted in one row, one by one; more of one than the window holds add nothing. */
function each(action: Action): readonly Action[] {
  return Array.from({ length: Math.min(action.times, ACTIONS_KEPT) }, () => action)
}

/** How many of the newest steps repeat the one a period before them, that first period included; 0: none. */
function lengthOf(marks: readonly string[], period: number): number {
  let length = 0
  for (let i = marks.length - 1; i >= period && marks[i] === marks[i - period]; i--) length++
  return length === 0 ? 0 : length + period
}

function isUniform(marks: readonly string[]): boolean {
  return new Set(marks).size === 1
}
