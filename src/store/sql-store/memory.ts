import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import type { Stored } from './operations.js'

/**
 * What this process's own last commits left, so that the commit of an outcome need not read again what the commit of
 * its intent wrote: a quarter of the price of an operation. It holds only while nobody else writes; the engine says
 * when that ends.
 */
export interface Memory {
  /** when the ledger was last written; null = not known */
  readonly last: () => Stamp | null
  readonly task: (taskId: string) => Task | null
  readonly inFlight: (operationId: string) => Stored | null
  /** what one change left */
  readonly keep: (left: Left) => void
  readonly forget: () => void
}

export interface Left {
  readonly stamp: Stamp
  readonly task: Task
  readonly stored: Stored
}

/** Enough for what one process has in the air; beyond it all is read again. */
const MOST = 1_000

export function memory(): Memory {
  let last: Stamp | null = null
  const tasks = new Map<string, Task>()
  const inFlight = new Map<string, Stored>()
  const forget = () => {
    last = null
    tasks.clear()
    inFlight.clear()
  }
  return {
    last: () => last,
    task: taskId => tasks.get(taskId) ?? null,
    inFlight: operationId => inFlight.get(operationId) ?? null,
    keep: ({ stamp, task, stored }) => {
      if (inFlight.size >= MOST || tasks.size >= MOST) forget()
      const { operation_id, status } = stored.operation
      last = stamp
      tasks.set(task.task_id, task)
      // What is settled is rarely asked for again, and its columns may be large.
      if (status === 'in_flight') inFlight.set(operation_id, stored)
      else inFlight.delete(operation_id)
    },
    forget,
  }
}

/** For an engine that cannot tell when others write. */
export const NO_MEMORY: Memory = {
  last: () => null,
  task: () => null,
  inFlight: () => null,
  keep: () => {},
  forget: () => {},
}
