import { text } from '../cells.js'
import { query, type Sql } from '../engine.js'
import { nearest } from '../near.js'

/** How many ids each look-up may bring: the cost stays the same however large the ledger is. */
const MOST = 300

/** Ids of operations and tasks near a mistyped one: those that begin alike, what is open, what is recent. */
export function* near(id: string): Sql<string[]> {
  const found: string[] = []
  for (const length of prefixLengths(id)) {
    const prefix = id.slice(0, length)
    found.push(...(yield* ids(OPERATIONS_LIKE, [prefix, MOST])), ...(yield* ids(TASKS_LIKE, [prefix, MOST])))
  }
  found.push(
    ...(yield* ids(OPEN, [MOST])),
    ...(yield* ids(RECENT_OPERATIONS, [MOST])),
    ...(yield* ids(RECENT_TASKS, [MOST])),
  )
  return nearest(id, found)
}

/** Long beginnings first: the slip may be anywhere after them. */
function prefixLengths(id: string): readonly number[] {
  return [...new Set([id.length - 1, Math.floor(id.length / 2), Math.floor(id.length / 4)])].filter(
    length => length > 0,
  )
}

function* ids(sql: string, params: readonly (string | number)[]): Sql<string[]> {
  const rows = yield* query(sql, params)
  return rows.map(row => text(row, 'id'))
}

// U+10FFFF sorts after every other character: the range of all ids with that beginning.
const OPERATIONS_LIKE = `
select operation_id as id
from ledger_operation
where operation_id >= $1 and operation_id < $1 || '\u{10ffff}'
order by operation_id
limit $2`

const TASKS_LIKE = `
select task_id as id
from ledger_task
where task_id >= $1 and task_id < $1 || '\u{10ffff}'
order by task_id
limit $2`

const OPEN = `
select operation_id as id
from ledger_operation indexed by operation_open
where status in ('prepared', 'in_flight', 'unknown')
limit $1`

const RECENT_OPERATIONS = `
select operation_id as id
from ledger_operation
order by seq desc
limit $1`

const RECENT_TASKS = `
select task_id as id
from ledger_task
order by seq desc
limit $1`
