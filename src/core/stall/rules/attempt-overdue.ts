import { limitOf } from '../limits.js'
import { latest, liveAttempt, type OperationSubject, overrun, type StallRule } from '../rule.js'

/**
 * A limit that somebody declared counts from the send. One that nobody declared for this tool counts from the last
 * progress: a long job that still gets somewhere is not overdue by a guess.
 */
export const attemptOverdue: StallRule<OperationSubject> = {
  id: 'attempt_overdue',
  title: 'an attempt that has run longer than it should',
  reason: 'an answer that has not come by now may never come',
  check: subject => {
    const { operation, look, config } = subject
    if (operation.status !== 'in_flight') return null
    const live = liveAttempt(subject)
    const sentAt = live?.sent_at ?? operation.updated_at
    const limit = limitOf('attempt_overdue', operation, config)
    const isDeclared = limit.from === 'tool' || limit.from === 'timeout'
    const from = isDeclared ? sentAt : latest(sentAt, live?.progress_at ?? operation.progress_at)
    const what = from === sentAt ? 'has run for' : 'has made no progress for'
    return overrun({
      from,
      limit,
      now: look.now.at,
      what: age => `attempt ${operation.attempt} ${what} ${age}`,
    })
  },
}
