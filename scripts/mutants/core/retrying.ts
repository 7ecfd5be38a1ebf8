import { test } from '../checks.js'
import type { Check, Mutant } from '../mutant.js'

const RETRY = 'src/core/retry.ts'
const RETRYING = 'src/core/transitions/retrying.ts'
const RECORD = 'src/core/transitions/record.ts'

/** When a next attempt follows by itself, when it is due, and what its destination's quota lets through. */
export const RETRYING_MUTANTS: readonly Mutant[] = [
  {
    id: 'final-refusal-retried',
    without: 'only a refusal of the moment is tried again',
    file: RETRYING,
    find: "  if (ended.end === 'not_applied' && !ended.retry.retryable) return steps\n",
    replace: '',
    killedBy: following('is the end of it where it is final, and no budget is called spent'),
  },
  {
    id: 'refusal-in-doubt-retried',
    without: 'a refusal is tried again only where nothing may have applied, or a repeat is safe',
    file: RETRYING,
    find: 'after.ok ? isRepeatable(after.state, context) :',
    replace: 'after.ok ? true :',
    killedBy: following(
      'is the end of this attempt alone where an earlier one is in doubt and a repeat is not safe',
    ),
  },
  {
    id: 'deadline-called-budget',
    without: 'a task pauses for its budget, not for a deadline',
    file: RETRYING,
    find: "if (next.spent !== 'budget' || !mayBeSpent) return outcome",
    replace: 'if (!mayBeSpent) return outcome',
    killedBy: following('is the end of it where its deadline comes first, and no budget is called spent'),
  },
  {
    id: 'spent-budget-unsaid',
    without: 'where only attempts or time are missing for a retry, the record says so',
    file: RETRYING,
    find: 'return { ...outcome, request: { ...request, budget_spent: next.reason } }',
    replace: 'return outcome',
    killedBy: following('says so where only attempts or time are missing for a retry'),
  },
  {
    id: 'spent-budget-goes-on',
    without: 'a task whose budget is spent pauses, also by a lost answer',
    file: 'src/core/transitions/task-follows.ts',
    find: "new Set(['reject', 'reject_in_doubt', 'lose'])",
    replace: "new Set(['reject', 'reject_in_doubt'])",
    killedBy: running('by a lost answer ends in unknown, and pauses the task'),
  },
  {
    id: 'retry-time-unkept',
    without: 'the time of the next attempt is stored',
    file: RECORD,
    find: 'next_attempt_at: retry?.next_attempt_at ?? null',
    replace: 'next_attempt_at: null',
    killedBy: running(
      'whose retry is due later than run may wait answers until when, and is not sent before',
    ),
  },
  {
    id: 'retry-without-backoff',
    without: 'each wait may be twice as long as the one before',
    file: RETRY,
    find: 'base_ms * 2 ** doublings',
    replace: 'base_ms * 1 ** doublings',
    killedBy: reckoned('after attempt 2 is drawn below 2000 ms'),
  },
  {
    id: 'retry-without-jitter',
    without: 'those who were refused together do not come back together',
    file: RETRY,
    find: 'return jitter * Math.min(',
    replace: 'return Math.min(',
    killedBy: reckoned('after attempt 1 is drawn below 1000 ms'),
  },
  {
    id: 'retry-after-ignored',
    without: 'a wait that the service asks for is kept',
    file: RETRY,
    find: 'now.at + (retry_after_ms ?? 0)',
    replace: 'now.at',
    killedBy: reckoned('is at least what the service asks for, and says so'),
  },
  {
    id: 'retry-past-deadline',
    without: 'no attempt is planned for its deadline or after it',
    file: RETRY,
    find: 'if (at >= deadline)',
    replace: 'if (at > deadline)',
    killedBy: reckoned('ends at the deadline of the operation'),
  },
  {
    id: 'retry-past-task-deadline',
    without: 'the deadline of the task bounds what is tried again',
    file: RETRY,
    find: 'Math.min(operation.deadline_at ?? Infinity, task.deadline_at ?? Infinity)',
    replace: 'operation.deadline_at ?? Infinity',
    killedBy: reckoned('ends at the deadline of the task'),
  },
  {
    id: 'retry-for-ever',
    without: 'trying ends when its longest time is over',
    file: RETRY,
    find: 'if (elapsed > limit)',
    replace: 'if (elapsed === Infinity)',
    killedBy: reckoned('ends where the next attempt would come after the longest time of trying'),
  },
  {
    id: 'retry-time-by-wall-clock',
    without: 'the time of trying counts by the clock that says more',
    file: RETRY,
    find: 'elapsedAtMost(first, now) +',
    replace: 'now.at - first.at +',
    killedBy: reckoned('counts that time by the clock that says more'),
  },
  {
    id: 'retry-without-end',
    without: 'the last attempt is followed by none',
    file: RETRY,
    find: 'operation.attempt >= operation.max_attempts && operation.extra_attempts === 0',
    replace: 'operation.attempt > operation.max_attempts && operation.extra_attempts === 0',
    killedBy: reckoned('ends with the last attempt'),
  },
  {
    id: 'quota-without-size',
    without: 'a quota lets no more through than it says',
    file: RETRY,
    find: 'const interval = quota.per_ms / quota.retries',
    replace: 'const interval = 0',
    killedBy: reckoned('lets so many go at once, and each one after when a token is back'),
  },
  {
    id: 'quota-saves-up',
    without: 'what was not used in a quiet time is not saved up beyond the size of the quota',
    file: RETRY,
    find: 'Math.max(context.quota_used_until ?? 0, context.now.at)',
    replace: '(context.quota_used_until ?? context.now.at)',
    killedBy: reckoned('fills up again, and holds no more than its size'),
  },
  {
    id: 'quota-of-the-tool-alone',
    without: 'tools that share a destination share its quota',
    file: RETRY,
    find: 'return contract.retry?.quota?.destination ?? tool',
    replace: 'return tool',
    killedBy: reckoned('is that of the destination named, else of the tool, and the reason names it'),
  },
  {
    id: 'quota-lost-on-the-way',
    without: 'a scheduled retry carries its place in the quota to the commit',
    file: RETRYING,
    find: '...(quota === undefined ? {} : { quota }) }',
    replace: '}',
    killedBy: following('takes its place in the quota of its destination'),
  },
  {
    id: 'quota-not-drawn-at-once',
    without: 'a repeat that is sent at once draws on the quota too',
    file: 'src/core/transitions/attach.ts',
    find: '(isAhead || next.quota !== undefined)',
    replace: 'isAhead',
    killedBy: test(
      'test/core/transitions/attach.test.ts',
      'takes its place in the quota of its destination, also when it is sent at once',
    ),
  },
  {
    id: 'quota-not-taken',
    without: 'the commit that schedules a retry takes its place in the quota',
    file: 'src/store/sql-store/write-moves.ts',
    find: 'if (event.body.quota !== undefined) yield* takeOfQuota(event.body.quota)',
    replace: '',
    killedBy: running('draws on the quota of its destination, which all processes of the ledger share'),
  },
  {
    id: 'quota-unread',
    without: 'what others took of the quota is read in the commit that schedules a retry',
    file: 'src/store/sql-store/context.ts',
    find: 'operation.contract.retry?.quota === undefined ? null : yield* quotaUsedUntil(destinationOf(operation))',
    replace: 'null',
    killedBy: running('draws on the quota of its destination, which all processes of the ledger share'),
  },
]

function reckoned(title: string): Check {
  return test('test/core/retry.test.ts', title)
}

function following(title: string): Check {
  return test('test/core/transitions/retrying.test.ts', title)
}

function running(title: string): Check {
  return test('test/execute/retry.test.ts', title)
}
