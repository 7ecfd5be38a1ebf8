import { nearest } from '../../core/did-you-mean.js'
import { MAX_ID_BYTES } from '../../core/operation-id.js'
import { text } from '../cells.js'
import { query, type Sql } from '../engine.js'

/** How many ids each look-up may bring: the cost stays the same however large the ledger is. */
const MOST = 300

/** Ids of operations and tasks near a mistyped one: those that begin alike, what is open, what is recent. */
export function* near(id: string): Sql<string[]> {
  if (!id.isWellFormed() || id.includes('\0')) return []
  const found: string[] = []
  const characters = [...id].slice(0, MAX_ID_BYTES)
  for (const length of prefixLengths(characters.length)) {
    const prefix = characters.slice(0, length).join('')
    found.push(...(yield* ids(OPERATIONS_LIKE, [prefix, MOST])), ...(yield* ids(TASKS_LIKE, [prefix, MOST])))
  }
  found.push(
    ...(yield* ids(OPEN, [MOST])),
    ...(yield* ids(RECENT_OPERATIONS, [MOST])),
    ...(yield* ids(RECENT_TASKS, [MOST])),
  )
  return [...new Set([...nearest(id, new Set(found)), ...found.filter(isWhole(id))])].slice(0, 5)
}

/** What was typed is a part of the id: its last words, or a copy that lost its ends. */
function isWhole(typed: string) {
  return (id: string) => typed.length >= 3 && id.toLowerCase().includes(typed.toLowerCase())
}

/** Long beginnings first: the slip may be anywhere after them. */
function prefixLengths(whole: number): readonly number[] {
  return [...new Set([whole - 1, Math.floor(whole / 2), Math.floor(whole / 4)])].filter(length => length > 0)
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
