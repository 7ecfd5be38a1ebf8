import { words } from '../core/safe-text.js'
import { type Looked, type Step, still, type Ticked } from './event.js'
import { nearestRow, rowAt } from './items.js'
import type { Row } from './row.js'
import { arranged, detailWanted, scrolled } from './selecting.js'
import { alarm, type State } from './state.js'

/** A list made anew takes the place of the old one; a longer one is added below it, so that nothing moves. */
export function looked(state: State, seen: Looked): Step {
  if (seen.turn !== state.turn) return still(state)
  const { hasMore, summary, limit } = seen
  const base = {
    ...state,
    asked: { ...state.asked, limit },
    hasMore,
    summary,
    isLoading: false,
    trouble: null,
  }
  if (seen.isMore) {
    const known = new Set(state.rows.map(({ id }) => id))
    const rows = [...state.rows, ...seen.rows.filter(({ id }) => !known.has(id))]
    return arranged({ ...base, rows })
  }
  const isFirst = state.rows.length === 0
  const byId = new Map(seen.rows.map(row => [row.id, row]))
  const marks = new Map([...state.marks].map(([id, row]) => [id, byId.get(id) ?? row]))
  const { state: next } = arranged({ ...base, rows: seen.rows, marks, changes: new Map(), fresh: new Set() })
  const shown = isFirst ? scrolled({ ...next, at: nearestRow(next.items, 0), top: 0 }) : next
  return { state: shown, effects: detailWanted(shown, false) }
}

/** What became of the rows that are shown. They stay where they are; what is new waits. */
export function ticked(state: State, { turn, page, changes, touched, summary }: Ticked): Step {
  if (turn !== state.turn) return still(state)
  const now = new Map(page.map(row => [row.id, row]))
  const isOther = (row: Row) => {
    const other = now.get(row.id)
    // An age goes on while nobody writes: beside that of the oldest, and what stands of it in the detail.
    return (
      other !== undefined &&
      (other.version !== row.version || other.state !== row.state || other.age !== row.age)
    )
  }
  const updated = (row: Row): Row => (isOther(row) ? (now.get(row.id) ?? row) : row)
  const isChanged = state.rows.some(isOther)
  const rows = isChanged ? state.rows.map(updated) : state.rows
  const items = isChanged
    ? state.items.map(item =>
        item.kind === 'row' && isOther(item.row) ? { ...item, row: updated(item.row) } : item,
      )
    : state.items
  const marks = isChanged ? new Map([...state.marks].map(([id, row]) => [id, updated(row)])) : state.marks
  const fresh = freshOf(state, page, changes)
  const next = {
    ...state,
    rows,
    items,
    marks,
    fresh: sameIds(fresh, state.fresh) ? state.fresh : fresh,
    changes: changes.size === 0 ? state.changes : new Map([...state.changes, ...changes]),
    summary: JSON.stringify(summary) === JSON.stringify(state.summary) ? state.summary : summary,
    trouble: null,
  }
  const selected = rowAt(state.items, state.at)
  const isStale = selected !== null && (isOther(selected) || isToldOf(state, selected, touched))
  return { state: next, effects: isStale ? detailWanted(next, false) : [] }
}

/** Was anything written of what stands beside the list: of the operation, of its task, and, in a report, of what else is in it? */
function isToldOf({ tab, rows }: State, { id, taskId }: Row, touched: Ticked['touched']): boolean {
  if (touched.has(id) || touched.has(taskId)) return true
  return tab === 'task' && rows.some(row => row.taskId === taskId && touched.has(row.id))
}

// Where more rows follow than are loaded, one that comes up from below is not new: it must have been touched.
function freshOf(state: State, page: readonly Row[], changes: State['changes']): ReadonlySet<string> {
  const known = new Set(state.rows.map(({ id }) => id))
  const isNew = ({ id }: Row) => !state.hasMore || changes.has(id) || state.changes.has(id)
  return new Set(page.filter(row => !known.has(row.id) && isNew(row)).map(({ id }) => id))
}

function sameIds(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(id => b.has(id))
}

export function lookFailed(state: State, why: State['trouble']): Step {
  return still({ ...state, trouble: why, isLoading: false })
}

export function notHere(state: State): Step {
  return still({ ...state, message: alarm(words`nothing is selected`) })
}
