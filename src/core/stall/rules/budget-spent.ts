import { spendingWords, spentOf } from '../../budget.js'
import type { StallRule, TaskSubject } from '../rule.js'

/** A task that paused as `budget_exhausted` waits for a person and is none of this. */
export const budgetSpent: StallRule<TaskSubject> = {
  id: 'budget_spent',
  title: 'a running task that has used up its budget',
  reason: 'whoever was to stop it there did not',
  check: ({ task, look }) => {
    if (task.status !== 'running' || task.taken_over_by !== null) return null
    const spent = spentOf(task, look.now.at)
    if (spent.length === 0) return null
    const onTime = spent.find(({ part }) => part === 'time_ms')
    return {
      since: onTime === undefined ? (task.activity_at ?? task.updated_at) : task.created_at + onTime.allowed,
      limit: null,
      reason: `its budget is used up and it goes on: ${spent.map(spendingWords).join(', ')}`,
      facts: { spent: spent.map(({ part, used, allowed }) => ({ part, used, allowed })) },
    }
  },
}
