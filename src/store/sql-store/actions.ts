import { ACTIONS_KEPT, type Action, isSameAction, type NewAction } from '../../core/action.js'
import { LedgerError } from '../../core/errors.js'
import { numberOrNull, text } from '../cells.js'
import { bytesOfDigest } from '../chain.js'
import { query, type Sql } from '../engine.js'
import { actionOf } from '../rows.js'
import { readTask } from './tasks.js'

const COLUMNS =
  'task_id, n, kind, tool, input_digest, result_digest, outcome, times, first_at, at, wait_until, stall, excerpt'

/** Beside the columns of an action: see `Place`. */
const WRITTEN = `${COLUMNS}, place`

/** Where a new action falls in. */
export interface Place {
  readonly task_id: string
  readonly at: number
  /** what was the same before this progress is not counted together with what follows */
  readonly progress_at: number | null
  /** which one without a time it is in the record of another system, from 1; what follows in that record is higher */
  readonly position?: number
}

/**
 * Keeps what an agent did: outside the chain and the version, the newest rows of each task alone. The same again right
 * after the same is counted in its row, so that a thousand equal polls are one.
 */
export function* appendAction(place: Place, action: NewAction): Sql<void> {
  const { task_id, at, progress_at, position = null } = place
  const last = yield* newestAction(task_id)
  const isAgain =
    last !== null && isSameAction(last, action) && (progress_at === null || last.at > progress_at)
  if (isAgain) {
    yield* query(
      `update ledger_action
       set n = n + 1, times = times + 1, at = $3, wait_until = $4, place = coalesce($5, place)
       where task_id = $1 and n = $2`,
      [task_id, last.n, Math.max(at, last.at), action.wait_until, position],
    )
    return
  }
  const n = (last?.n ?? 0) + 1
  yield* insertAction(task_id, { ...action, n, times: 1, first_at: at, at }, position)
  yield* query(
    `delete from ledger_action
     where task_id = $1
       and n <= (select n from ledger_action where task_id = $1 order by n desc limit 1 offset $2)`,
    [task_id, ACTIONS_KEPT],
  )
}

/** What another system's record says, in place of what an earlier reading of it left: reading twice changes nothing. */
export function* replaceActions(
  task_id: string,
  actions: readonly (NewAction & { readonly at: number })[],
): Sql<void> {
  if ((yield* readTask(task_id)) === null)
    throw new LedgerError('not_found', `there is no task ${task_id}`, { id: task_id })
  yield* query('delete from ledger_action where task_id = $1', [task_id])
  const rows: Action[] = []
  let n = 0
  for (const { at, ...action } of actions) {
    n += 1
    const last = rows.at(-1)
    if (last !== undefined && isSameAction(last, action))
      rows[rows.length - 1] = { ...last, n, times: last.times + 1, at: Math.max(at, last.at) }
    else rows.push({ ...action, n, times: 1, first_at: at, at })
    if (rows.length > ACTIONS_KEPT) rows.shift()
  }
  for (const row of rows) yield* insertAction(task_id, row)
  const cost = actions.reduce((sum, action) => sum + action.cost, 0)
  yield* query('update ledger_task set steps = $2, cost = $3 where task_id = $1', [task_id, n, cost])
}

export function* actionsOfTask(task_id: string): Sql<Action[]> {
  const rows = yield* query(`select ${COLUMNS} from ledger_action where task_id = $1 order by n`, [task_id])
  return rows.map(actionOf)
}

/** The same of many tasks, in one query. */
export function* actionsOfTasks(task_ids: readonly string[]): Sql<ReadonlyMap<string, Action[]>> {
  const found = new Map<string, Action[]>()
  if (task_ids.length === 0) return found
  const rows = yield* query(
    `select ${COLUMNS}
     from ledger_action
     where task_id in (select value from json_each($1))
     order by task_id, n`,
    [JSON.stringify(task_ids)],
  )
  for (const row of rows) {
    const task_id = text(row, 'task_id')
    const actions = found.get(task_id)
    if (actions === undefined) found.set(task_id, [actionOf(row)])
    else actions.push(actionOf(row))
  }
  return found
}

/** How far those without a time were taken: their highest place; null where that cannot be told any more. */
export function* positionTaken(task_id: string): Sql<number | null> {
  const [row] = yield* query(
    `select max(place) as taken, min(n - times) as dropped from ledger_action where task_id = $1`,
    [task_id],
  )
  if (row === undefined) return 0
  const taken = numberOrNull(row, 'taken')
  return taken ?? ((numberOrNull(row, 'dropped') ?? 0) > 0 ? null : 0)
}

export function* newestAction(task_id: string): Sql<Action | null> {
  const [row] = yield* query(
    `select ${COLUMNS} from ledger_action where task_id = $1 order by n desc limit 1`,
    [task_id],
  )
  return row ? actionOf(row) : null
}

function* insertAction(task_id: string, action: Action, position: number | null = null): Sql<void> {
  const { n, kind, tool, input_digest, result_digest, outcome, times, first_at, at } = action
  yield* query(
    `insert into ledger_action (${WRITTEN})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      task_id,
      n,
      kind,
      tool,
      input_digest === null ? null : bytesOfDigest(input_digest),
      result_digest === null ? null : bytesOfDigest(result_digest),
      outcome,
      times,
      first_at,
      at,
      action.wait_until,
      action.stall === null ? null : JSON.stringify(action.stall),
      action.excerpt,
      position,
    ],
  )
}
