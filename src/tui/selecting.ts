import { type Effect, type Step, still } from './event.js'
import { itemsOf, nearestRow, placeOf, rowAt } from './items.js'
import { layoutOf } from './layout.js'
import type { State } from './state.js'

/** The id of the selected operation. */
export function selectedId(state: State): string | null {
  return rowAt(state.items, state.at)?.id ?? null
}

/** Rows before the end of what is loaded at which more is asked for. */
const MORE_BEFORE = 100

/** The selection at a place, the list scrolled so that it is seen, and what is to be read for it. */
export function selectedAt(state: State, at: number): Step {
  if (at === state.at && at >= state.top) return still(state)
  const moved = scrolled({ ...state, at, detailTop: 0 })
  return withMore({ state: moved, effects: detailWanted(moved, true) })
}

/** By so many rows; heads of groups are passed over. */
export function movedBy(state: State, by: number): Step {
  const { items, at } = state
  const last = items.length - 1
  let to = Math.min(Math.max(at + by, 0), last)
  const step = by > 0 ? 1 : -1
  while (items[to]?.kind === 'group' && to + step >= 0 && to + step <= last) to += step
  if (items[to]?.kind !== 'row') to = nearestRow(items, to)
  return selectedAt(state, to)
}

/** The list scrolled so that the selection is seen, with the head of its group where it is the first of it. */
export function scrolled(state: State): State {
  const { body } = layoutOf(state)
  const { at, top, items } = state
  if (at < 0) return { ...state, top: 0 }
  const head = items[at - 1]?.kind === 'group' ? at - 1 : at
  if (head < top) return { ...state, top: head }
  return at >= top + body ? { ...state, top: at - body + 1 } : state
}

/** The list arranged anew, with the same operation selected where it is still shown. */
export function arranged(state: State): Step {
  const id = selectedId(state)
  const items = itemsOf(state)
  const place = placeOf(items, id)
  const at = place === -1 ? nearestRow(items, state.at) : place
  const offset = state.at - state.top
  const top = Math.max(0, Math.min(at - offset, items.length - layoutOf(state).body))
  const next = scrolled({ ...state, items, at, top, anchor: null })
  return withMore({ state: next, effects: selectedId(next) === id ? [] : detailWanted(next, false) })
}

export function isDetailSeen(state: State): boolean {
  return layoutOf(state).isSplit || state.focus === 'detail'
}

export function detailWanted(state: State, isSoon: boolean): Effect[] {
  const id = selectedId(state)
  if (id === null || !isDetailSeen(state)) return []
  return [{ kind: 'detail', id, tab: state.tab, isSoon }]
}

// Where a filter leaves few of the rows that are loaded, more are read until the screen is full. One look at a time:
// keys that follow while it is under way would each begin another.
function withMore({ state, effects }: Step): Step {
  const { hasMore, isLoading, at, items, turn } = state
  if (!hasMore || isLoading || at < items.length - MORE_BEFORE) return { state, effects }
  return {
    state: { ...state, isLoading: true },
    effects: [...effects, { kind: 'look', turn, isMore: true }],
  }
}
