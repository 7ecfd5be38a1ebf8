import { type Safe, words } from '../core/safe-text.js'
import { filterOf } from './filter.js'
import type { Row } from './row.js'

/** A line of the list: an operation, or the head of a group. */
export type Item =
  | { readonly kind: 'row'; readonly row: Row }
  | { readonly kind: 'group'; readonly name: Safe; readonly count: number }

export type Grouping = 'none' | 'cause' | 'task'

export interface Arranged {
  readonly rows: readonly Row[]
  readonly filter: string
  readonly grouping: Grouping
  readonly marks: ReadonlyMap<string, unknown>
}

/** The list as it stands on the screen. Costs what is loaded: to be made anew only when one of these changed. */
export function itemsOf({ rows, filter, grouping, marks }: Arranged): readonly Item[] {
  const matches = filterOf(filter)
  const shown = filter === '' ? rows : rows.filter(row => matches(row, marks.has(row.id)))
  if (grouping === 'none') return shown.map(row => ({ kind: 'row', row }))
  const groups = new Map<string, { name: Safe; rows: Row[] }>()
  for (const row of shown) {
    const name = grouping === 'task' ? row.task : (row.cause ?? words`no error`)
    const key = grouping === 'task' ? row.taskId : name
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { name, rows: [row] })
    else group.rows.push(row)
  }
  // The riskiest row decides where its group stands: the order of the rows is kept.
  return [...groups.values()].flatMap(({ name, rows: members }) => [
    { kind: 'group' as const, name, count: members.length },
    ...members.map(row => ({ kind: 'row' as const, row })),
  ])
}

/** Where an operation stands; -1 where it is not shown. */
export function placeOf(items: readonly Item[], id: string | null): number {
  return id === null ? -1 : items.findIndex(item => item.kind === 'row' && item.row.id === id)
}

/** The row at a place, or the nearest below, or above it. */
export function nearestRow(items: readonly Item[], at: number): number {
  for (let i = Math.max(0, at); i < items.length; i++) if (items[i]?.kind === 'row') return i
  for (let i = Math.min(at, items.length) - 1; i >= 0; i--) if (items[i]?.kind === 'row') return i
  return -1
}

export function rowAt(items: readonly Item[], at: number): Row | null {
  const item = items[at]
  return item?.kind === 'row' ? item.row : null
}
