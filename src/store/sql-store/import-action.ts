import { importedAction, isSameAction } from '../../core/action.js'
import type { ImportedAction } from '../../core/imported.js'
import { cleanId } from '../../core/importing/clean.js'
import type { KindCounts } from '../../core/importing/counts.js'
import type { Task } from '../../core/task.js'
import { query, type Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import { actionsOfTask, appendAction, newestAction, positionTaken } from './actions.js'
import { readTask } from './tasks.js'

type Became = keyof KindCounts

/**
 * Takes in what an agent did, for the rules that look for loops, so that reading twice changes nothing. Of two with a time the
 * time tells which was read before: what is older than the newest that is kept. One without is known by its place among
 * those of its task that have none, for records only grow at their end.
 */
export function actionImporter(asked: Importing): (action: ImportedAction) => Sql<Became> {
  const places = new Map<string, number>()
  return function* (action) {
    const task_id = cleanId(action.task_id)
    const task = yield* readTask(task_id)
    if (task === null) return 'unchanged'
    if (action.at !== null) return yield* importTimed(asked, action, { task_id, at: action.at })
    const position = (places.get(task_id) ?? 0) + 1
    places.set(task_id, position)
    return yield* importUntimed(asked, action, { task, position })
  }
}

function* importTimed(
  asked: Importing,
  action: ImportedAction,
  { task_id, at }: { readonly task_id: string; readonly at: number },
): Sql<Became> {
  const next = nextOf(asked, action)
  const kept = yield* actionsOfTask(task_id)
  const newest = kept.at(-1)
  const isKnown =
    newest !== undefined &&
    (at < newest.at || kept.some(row => row.first_at <= at && at <= row.at && isSameAction(row, next)))
  if (isKnown) return 'unchanged'
  yield* appendAction({ task_id, at, progress_at: null }, next)
  return yield* counted(task_id)
}

/** It stands at the last time that is known of its task: no sign of life is made of a reading. */
function* importUntimed(
  asked: Importing,
  action: ImportedAction,
  { task, position }: { readonly task: Task; readonly position: number },
): Sql<Became> {
  const { task_id } = task
  const taken = yield* positionTaken(task_id)
  if (taken === null || position <= taken) return 'unchanged'
  const newest = yield* newestAction(task_id)
  const at = newest?.at ?? task.activity_at ?? task.created_at
  yield* appendAction({ task_id, at, progress_at: null, position }, nextOf(asked, action))
  return yield* counted(task_id)
}

function nextOf({ taking }: Importing, action: ImportedAction) {
  return importedAction(action, { mask: taking.mask.value })
}

function* counted(task_id: string): Sql<Became> {
  yield* query('update ledger_task set steps = steps + 1 where task_id = $1', [task_id])
  return 'added'
}
