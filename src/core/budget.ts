import { formatDuration } from './duration.js'
import type { Task } from './task.js'

/** What a task may use up; `ledger_task.budget` holds it, other members of it mean nothing here. */
export interface Budget {
  /** steps: what an agent did, and operations that were sent */
  readonly steps?: number
  /** milliseconds since the task was opened */
  readonly time_ms?: number
  /** in the unit in which the agent tells it */
  readonly cost?: number
}

export const BUDGET_PARTS = ['steps', 'time_ms', 'cost'] as const

/** How much of one part of a budget is used. */
export interface Spending {
  readonly part: (typeof BUDGET_PARTS)[number]
  readonly used: number
  readonly allowed: number
}

type Spender = Pick<Task, 'budget' | 'steps' | 'cost' | 'created_at'>

/** Every part that is declared as a number of 0 or more, used up or not. */
export function spendingOf(task: Spender, now: number): readonly Spending[] {
  const used = { steps: task.steps, time_ms: now - task.created_at, cost: task.cost }
  return BUDGET_PARTS.flatMap(part => {
    const allowed = task.budget === null ? undefined : Reflect.get(task.budget, part)
    return typeof allowed === 'number' && allowed >= 0 ? [{ part, used: used[part], allowed }] : []
  })
}

/** The parts that are used up. */
export function spentOf(task: Spender, now: number): readonly Spending[] {
  return spendingOf(task, now).filter(({ used, allowed }) => used >= allowed)
}

/** `40 of 40 steps`, `2h of 1h30m`, `cost 5.2 of 5`. */
export function spendingWords({ part, used, allowed }: Spending): string {
  if (part === 'time_ms') return `${formatDuration(used)} of ${formatDuration(allowed)}`
  return part === 'steps' ? `${used} of ${allowed} steps` : `cost ${round(used)} of ${round(allowed)}`
}

function round(amount: number): number {
  return Math.round(amount * 10_000) / 10_000
}
