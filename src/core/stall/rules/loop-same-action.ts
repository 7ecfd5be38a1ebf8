import { callsSince, isAnswered, isSameStep, loopFound, tailOf, timesOf } from '../loop.js'
import type { StallRule, TaskSubject } from '../rule.js'

export const loopSameResult: StallRule<TaskSubject> = {
  id: 'loop_same_action_same_result',
  title: 'the same call with the same answer again and again',
  reason: 'asking once more will bring the same: something else has to be tried, or somebody asked',
  check: subject => {
    const calls = callsSince(subject)
    const newest = calls.at(-1)
    if (newest === undefined || !isAnswered(newest) || newest.outcome === 'error') return null
    const actions = tailOf(calls, action => isSameStep(action, newest))
    const [rule, what] = ['loop_same_action_same_result', 'same call, same answer'] as const
    return loopFound(subject, { rule, what, actions, times: timesOf(actions) })
  },
}

/** The texts of the errors may differ: it is the same call that fails. */
export const loopSameError: StallRule<TaskSubject> = {
  id: 'loop_same_action_error',
  title: 'the same call fails again and again',
  reason: 'it will fail once more: its input, its rights or the service have to change first',
  check: subject => {
    const calls = callsSince(subject)
    const newest = calls.at(-1)
    if (newest === undefined || newest.outcome !== 'error') return null
    const { tool, input_digest } = newest
    const actions = tailOf(
      calls,
      one => one.outcome === 'error' && one.tool === tool && one.input_digest === input_digest,
    )
    const [rule, what] = ['loop_same_action_error', 'same call, an error each time'] as const
    return loopFound(subject, { rule, what, actions, times: timesOf(actions) })
  },
}
