import { type Action, type ActionGiven, isSameAction, newAction } from '../../../src/core/action.js'
import { NOTHING_RECENT, type Recent } from '../../../src/core/stall/recent.js'
import type { StallRuleId, TaskSubject } from '../../../src/core/stall/rule.js'
import { taskStallsOf } from '../../../src/core/stall/stalls.js'
import type { Task } from '../../../src/core/task.js'
import { aTask, NOON, stampAt } from '../builders.js'
import { SECOND } from './subjects.js'

export interface Told extends ActionGiven {
  readonly at?: number
}

/** As the store keeps them: what is the same again right after is one row. Ten seconds apart unless said otherwise. */
export function kept(told: readonly Told[]): Action[] {
  const rows: Action[] = []
  for (const [i, { at: when = NOON + i * 10 * SECOND, ...given }] of told.entries()) {
    const { cost: _, ...next } = newAction(given, value => value)
    const last = rows.at(-1)
    if (last !== undefined && isSameAction(last, { ...next, cost: 0 }))
      rows[rows.length - 1] = {
        ...last,
        n: i + 1,
        times: last.times + 1,
        at: when,
        wait_until: next.wait_until,
      }
    else rows.push({ ...next, n: i + 1, times: 1, first_at: when, at: when })
  }
  return rows
}

export function times(n: number, one: (i: number) => Told): Told[] {
  return Array.from({ length: n }, (_, i) => one(i))
}

export function subjectOf(
  told: readonly Told[],
  { task = {}, afterMs, recent = {}, config = {} }: Over = {},
): TaskSubject {
  const actions = kept(told)
  const now = afterMs === undefined ? (actions.at(-1)?.at ?? NOON) : NOON + afterMs
  return {
    task: aTask(task),
    recent: { ...NOTHING_RECENT, actions, ...recent },
    look: { now: stampAt(now), isOwnerGone: () => false },
    config,
  }
}

interface Over {
  readonly task?: Partial<Task>
  readonly afterMs?: number
  readonly recent?: Partial<Recent>
  readonly config?: TaskSubject['config']
}

/** Ids of the rules that speak of a task whose agent did this. */
export function rulesOf(told: readonly Told[], over: Over = {}): readonly StallRuleId[] {
  return taskStallsOf(subjectOf(told, over)).map(({ rule }) => rule)
}
