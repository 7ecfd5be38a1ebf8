import { importedAction, isSameAction } from '../../core/action.js'
import type { ImportedAction } from '../../core/imported.js'
import type { KindCounts } from '../../core/importing/counts.js'
import { query, type Sql } from '../engine.js'
import type { Importing } from '../import-port.js'
import { actionsOfTask, appendAction } from './actions.js'
import type { Ledger } from './change.js'
import { readTask } from './tasks.js'

/**
 * One thing an agent did, for the rules that look for loops. What is older than the newest that is kept was read before, so
 * that reading twice changes nothing; one without a time cannot be told from one read before, and is not kept.
 */
export function* importAction(
  _ledger: Ledger,
  asked: Importing,
  action: ImportedAction,
): Sql<keyof KindCounts> {
  const { task_id, at } = action
  if (at === null || (yield* readTask(task_id)) === null) return 'unchanged'
  const next = importedAction(action, { mask: asked.taking.mask.value })
  const kept = yield* actionsOfTask(task_id)
  const newest = kept.at(-1)
  const isKnown =
    newest !== undefined &&
    (at < newest.at || kept.some(row => row.first_at <= at && at <= row.at && isSameAction(row, next)))
  if (isKnown) return 'unchanged'
  yield* appendAction({ task_id, at, progress_at: null }, next)
  yield* query('update ledger_task set steps = steps + 1 where task_id = $1', [task_id])
  return 'added'
}
