/** What a table needs to know of a column to find room for it. */
export interface Room {
  /** columns the widest cell takes, heading included */
  readonly natural: number
  /** the same with cells that run over the edge rather than take the room of all others; absent: there are none */
  readonly widest?: number
  /** it may be cut to this many columns; absent: never cut (an id that is cut cannot be copied) */
  readonly least?: number
  /** the highest number is left out first; 0 stays whatever the width */
  readonly rank: number
}

/** Widths of the columns that are shown, by their place in the list; what is left out has none. */
export interface Layout {
  readonly widths: ReadonlyMap<number, number>
  readonly leftOut: readonly number[]
}

/** Blanks between two columns. */
export const GAP = 2

/**
 * Cuts what may be cut, widest first; when that is not enough, leaves out whole columns by their rank. What was left out
 * and fits beside the others after all, because a wider one had to go too, comes back.
 */
export function layOut(rooms: readonly Room[], columns: number): Layout {
  const shown = new Set(rooms.keys())
  const leftOut: number[] = []
  for (;;) {
    const widths = squeeze(rooms, [...shown], columns)
    const next = total(widths) <= columns ? undefined : leastNeeded(rooms, shown)
    if (next === undefined) return filledUp(rooms, { widths, leftOut }, columns)
    shown.delete(next)
    leftOut.push(next)
  }
}

// What was left out last is needed most. Rows that run over as it is are not made longer.
function filledUp(rooms: readonly Room[], layout: Layout, columns: number): Layout {
  return [...layout.leftOut].reverse().reduce(({ widths, leftOut }, back) => {
    const wider = squeeze(rooms, [...widths.keys(), back], columns)
    if (total(wider) + overrun(rooms, wider) > columns) return { widths, leftOut }
    return { widths: wider, leftOut: leftOut.filter(i => i !== back) }
  }, layout)
}

function squeeze(rooms: readonly Room[], shown: readonly number[], columns: number): Map<number, number> {
  const widths = new Map(shown.map(i => [i, rooms[i]?.natural ?? 0]))
  let excess = total(widths) - columns
  while (excess > 0) {
    const widest = shown
      .filter(i => (widths.get(i) ?? 0) > (rooms[i]?.least ?? Number.POSITIVE_INFINITY))
      .sort((a, b) => (widths.get(b) ?? 0) - (widths.get(a) ?? 0))
    const [first, second] = widest
    if (first === undefined) break
    const width = widths.get(first) ?? 0
    const floor = Math.max(rooms[first]?.least ?? 0, second === undefined ? 0 : (widths.get(second) ?? 0) - 1)
    const cut = Math.min(excess, width - Math.min(floor, width - 1))
    widths.set(first, width - cut)
    excess -= cut
  }
  return widths
}

function leastNeeded(rooms: readonly Room[], shown: ReadonlySet<number>): number | undefined {
  const droppable = [...shown].filter(i => (rooms[i]?.rank ?? 0) > 0)
  return droppable.sort((a, b) => (rooms[b]?.rank ?? 0) - (rooms[a]?.rank ?? 0) || b - a)[0]
}

function overrun(rooms: readonly Room[], widths: ReadonlyMap<number, number>): number {
  return [...widths.keys()].reduce((all, i) => {
    const { natural = 0, widest = natural } = rooms[i] ?? {}
    return all + widest - natural
  }, 0)
}

function total(widths: ReadonlyMap<number, number>): number {
  const sum = [...widths.values()].reduce((all, width) => all + width, 0)
  return sum + GAP * Math.max(0, widths.size - 1)
}
