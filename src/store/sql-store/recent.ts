import { ACTIONS_KEPT, type Action, newAction } from '../../core/action.js'
import type { JsonValue } from '../../core/json.js'
import { NOTHING_RECENT, type Recent } from '../../core/stall/recent.js'
import type { Task } from '../../core/task.js'
import { bytes, jsonOrNull, number, numberOrNull, text, textOrNull } from '../cells.js'
import { query, type Row, type Sql } from '../engine.js'
import type { RecentQuery } from '../store.js'
import { actionsOfTasks } from './actions.js'

/**
 * What tasks did lately. Each kind is read only where a rule could speak by it, so that a thousand quiet tasks cost
 * their rows: actions where some were told of, operations where one repeats another, what was confirmed last where
 * the task gives signs of life.
 */
export function* recent({ tasks, quiet_since }: RecentQuery): Sql<ReadonlyMap<string, Recent>> {
  const running = tasks.filter(({ status, taken_over_by }) => status === 'running' && taken_over_by === null)
  const repeating = running.length === 0 ? new Set<string>() : yield* tasksThatRepeat()
  const ids = running.map(({ task_id }) => task_id)
  const actions = yield* actionsOfTasks(
    running.filter(({ steps }) => steps > 0).map(({ task_id }) => task_id),
  )
  const phases = yield* runningPhases(ids)
  const found = new Map<string, Recent>()
  for (const task of running) {
    const { task_id } = task
    const told = actions.get(task_id) ?? []
    const sent = repeating.has(task_id) ? untold(yield* operationsAsActions(task_id), told) : []
    const asks = isAliveAndQuiet(task, quiet_since)
    if (told.length === 0 && sent.length === 0 && !asks) continue
    found.set(task_id, {
      ...(asks ? yield* standingOf(task_id) : NOTHING_RECENT),
      actions: [...told, ...sent].sort((a, b) => a.at - b.at),
      phase: phases.get(task_id) ?? null,
    })
  }
  return found
}

/** Where an agent tells of its calls, or its record does, the operations behind them are the same calls once more. */
function untold(sent: readonly Action[], told: readonly Action[]): readonly Action[] {
  const tools = new Set(told.map(({ tool }) => tool))
  return sent.filter(({ tool }) => !tools.has(tool))
}

function isAliveAndQuiet(task: Task, quiet_since: number): boolean {
  const signs = [task.heartbeat_at, task.activity_at].map(at => at ?? 0)
  const from = Math.max(task.updated_at, task.progress_at ?? 0)
  return Math.max(...signs) > from && from <= quiet_since
}

/** The tasks in which some operation has the tool and input of an earlier one. Such rows are few. */
function* tasksThatRepeat(): Sql<ReadonlySet<string>> {
  const rows = yield* query(
    `select distinct task_id
     from ledger_operation indexed by operation_repeated
     where same_as is not null
     order by task_id`,
  )
  return new Set(rows.map(row => text(row, 'task_id')))
}

const ENDED = ['confirmed', 'not_executed', 'unknown'] as const
/** A larger answer is compared by its digest. */
const LARGEST_RESULT = 8_192

/** The newest operations that ended, as what the agent did. */
function* operationsAsActions(task_id: string): Sql<Action[]> {
  const rows: Row[] = []
  for (const status of ENDED)
    rows.push(
      ...(yield* query(
        `select seq, operation_id, tool, input_digest, status, contract, created_at, updated_at, settled_at,
           case when length(result) <= ${LARGEST_RESULT} then result end as result, result_digest
         from ledger_operation indexed by operation_of_task
         where task_id = $1 and status = $2
         order by seq desc
         limit $3`,
        [task_id, status, ACTIONS_KEPT],
      )),
    )
  const newest = rows.sort((a, b) => number(a, 'seq') - number(b, 'seq')).slice(-ACTIONS_KEPT)
  const [first] = newest
  const actions = newest.map(actionOfOperation)
  if (first === undefined || newest.length < ACTIONS_KEPT || !isUniform(newest)) return actions
  return [yield* withEarlier(task_id, first, actions), ...actions.slice(1)]
}

/** All in the window are one call with one answer: how long that went on before is counted by the digest's index. */
function* withEarlier(task_id: string, first: Row, [oldest]: readonly Action[]): Sql<Action> {
  if (oldest === undefined) throw new Error('a window of operations has none')
  const input = bytes(first, 'input_digest')
  const [row] = yield* query(
    `select count(*) as n, min(created_at) as first_at
     from ledger_operation indexed by operation_same
     where substr(input_digest, 1, 6) = substr($1, 1, 6)
       and task_id = $2
       and input_digest = $1
       and tool = $3
       and status = 'confirmed'
       and result_digest is $4
       and seq <= $5`,
    [
      input,
      task_id,
      text(first, 'tool'),
      first.cells[first.places.get('result_digest') ?? -1] as Uint8Array,
      number(first, 'seq'),
    ],
  )
  const times = row === undefined ? 1 : Math.max(1, number(row, 'n'))
  const first_at = row === undefined ? null : numberOrNull(row, 'first_at')
  return { ...oldest, times, first_at: first_at ?? oldest.first_at }
}

function isUniform(rows: readonly Row[]): boolean {
  const marks = rows.map(row => `${text(row, 'tool')} ${bytes(row, 'input_digest').toString('hex')}`)
  return new Set(marks).size === 1
}

function actionOfOperation(row: Row): Action {
  const status = text(row, 'status')
  const contract = jsonOrNull<{ readonly stall?: Readonly<Record<string, number>> }>(row, 'contract')
  const at = numberOrNull(row, 'settled_at') ?? number(row, 'updated_at')
  const digest = row.cells[row.places.get('result_digest') ?? -1]
  const result = jsonOrNull<JsonValue>(row, 'result') ?? (digest == null ? null : String(digest))
  const action = newAction(
    {
      tool: text(row, 'tool'),
      input: bytes(row, 'input_digest').toString('hex'),
      result,
      outcome: status === 'confirmed' ? 'ok' : 'error',
      stall: contract?.stall ?? null,
    },
    value => value,
  )
  const { cost: _, ...kept } = action
  return {
    ...kept,
    excerpt: `${text(row, 'tool')} (${textOrNull(row, 'operation_id') ?? ''})`,
    n: number(row, 'seq'),
    times: 1,
    first_at: number(row, 'created_at'),
    at,
  }
}

function* standingOf(task_id: string): Sql<Recent> {
  const open = yield* query(
    `select operation_id
     from ledger_operation indexed by operation_open
     where task_id = $1 and status in ('prepared', 'in_flight', 'unknown') and status <> 'unknown'
     order by created_at
     limit 1`,
    [task_id],
  )
  const confirmed = yield* query(
    `select operation_id, settled_at
     from ledger_operation indexed by operation_of_task
     where task_id = $1 and status = 'confirmed'
     order by seq desc
     limit 1`,
    [task_id],
  )
  const [last] = confirmed
  return {
    ...NOTHING_RECENT,
    open: open.length,
    last_confirmed:
      last === undefined
        ? null
        : { operation_id: text(last, 'operation_id'), at: number(last, 'settled_at') },
  }
}

/** The phase that was begun last and has not ended, of each task that has one. */
function* runningPhases(task_ids: readonly string[]): Sql<ReadonlyMap<string, string>> {
  if (task_ids.length === 0) return new Map()
  const rows = yield* query(
    `select task_id, name
     from ledger_phase
     where task_id in (select value from json_each($1)) and status = 'running'
     order by updated_at, name`,
    [JSON.stringify(task_ids)],
  )
  return new Map(rows.map(row => [text(row, 'task_id'), text(row, 'name')]))
}
