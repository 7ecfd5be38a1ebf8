import { type ListedTask, listedTask } from '../../core/documents/list.js'
import { quietSince } from '../../core/stall/limits.js'
import type { Recent } from '../../core/stall/recent.js'
import type { Stall, StallRuleId } from '../../core/stall/rule.js'
import { taskStallsOf } from '../../core/stall/stalls.js'
import type { Task } from '../../core/task.js'
import type { StoreReader } from '../../store/store.js'
import type { Look } from './view.js'

export interface StalledTask {
  readonly task: Task
  readonly stalls: readonly Stall[]
}

/** What tasks did lately, as far as a rule could speak by it. */
export async function recentOf(
  store: StoreReader,
  tasks: readonly Task[],
  look: Look,
): Promise<ReadonlyMap<string, Recent>> {
  return store.recent({ tasks, quiet_since: quietSince(look.stall, look.look.now.at) })
}

/** Tasks read at once. */
const PART = 200

/** Those of the tasks that some rule calls stalled, whatever their operations do. */
export async function stalledAmong(
  store: StoreReader,
  tasks: readonly Task[],
  look: Look,
): Promise<StalledTask[]> {
  const found: StalledTask[] = []
  for (let from = 0; from < tasks.length; from += PART) {
    const part = tasks.slice(from, from + PART)
    const recent = await recentOf(store, part, look)
    for (const task of part) {
      const beside = recent.get(task.task_id) ?? null
      const stalls = taskStallsOf({ task, recent: beside, look: look.look, config: look.stall })
      if (stalls.length > 0) found.push({ task, stalls })
    }
  }
  return found
}

/** The same as rows of a list; `rule` and `taskId` narrow it down. */
export async function listedTasks(
  store: StoreReader,
  look: Look,
  { rule, taskId }: { readonly rule?: StallRuleId; readonly taskId?: string },
): Promise<ListedTask[]> {
  const open = (await store.openTasks()).filter(({ task_id }) => taskId === undefined || task_id === taskId)
  const stalled = await stalledAmong(store, open, look)
  return stalled
    .filter(({ stalls }) => rule === undefined || stalls.some(stall => stall.rule === rule))
    .map(({ task, stalls }) => listedTask(task, stalls))
}
