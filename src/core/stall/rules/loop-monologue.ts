import { loopFound, sinceReset, tailOf, timesOf } from '../loop.js'
import type { StallRule, TaskSubject } from '../rule.js'

/** What is said is not compared: words that differ are no work either. */
export const loopMonologue: StallRule<TaskSubject> = {
  id: 'loop_monologue',
  title: 'it talks and does nothing',
  reason:
    'messages without a call between them, and nobody asked: it waits for somebody, or has lost the thread',
  check: subject => {
    const said = sinceReset(subject).filter(({ kind }) => kind !== 'condensation')
    const actions = tailOf(said, ({ kind }) => kind === 'message')
    const [rule, what] = ['loop_monologue', 'messages and no call between them'] as const
    return loopFound(subject, { rule, what, actions, times: timesOf(actions) })
  },
}

export const loopContextWindow: StallRule<TaskSubject> = {
  id: 'loop_context_window',
  title: 'its context is condensed again and again with nothing between',
  reason: 'what it must keep in mind does not fit: it will not get on by itself',
  check: subject => {
    const actions = tailOf(sinceReset(subject), ({ kind }) => kind === 'condensation')
    const [rule, what] = ['loop_context_window', 'condensed with nothing between'] as const
    return loopFound(subject, { rule, what, actions, times: timesOf(actions) })
  },
}
