import type { Undoing } from '../../core/compensation.js'
import { OPERATION_STATUSES } from '../../core/operation.js'
import { text, word } from '../cells.js'
import { query, type Sql } from '../engine.js'

/** Operations that undo another one, oldest first. */
export function* compensationsOf(compensates: string): Sql<Undoing[]> {
  const rows = yield* query(
    `select operation_id, status
     from ledger_operation indexed by operation_compensates
     where compensates = $1
     order by seq`,
    [compensates],
  )
  return rows.map(row => ({
    operation_id: text(row, 'operation_id'),
    status: word(row, 'status', OPERATION_STATUSES),
  }))
}

/** The same for all rows of a list: what undid each, where something did. */
export function* undoneBy(operation_ids: readonly string[]): Sql<ReadonlyMap<string, string>> {
  if (operation_ids.length === 0) return new Map()
  const rows = yield* query(
    `select compensates, operation_id
     from ledger_operation indexed by operation_compensates
     where compensates in (select value from json_each($1)) and status = 'confirmed'
     order by seq`,
    [JSON.stringify(operation_ids)],
  )
  return new Map(rows.map(row => [text(row, 'compensates'), text(row, 'operation_id')]))
}
