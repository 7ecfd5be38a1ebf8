/** A stretch of time, milliseconds since 1970 UTC. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Axis {
  /** the place of a moment, from 0 to the width */
  readonly place: (at: number) => number
  readonly ticks: readonly { readonly at: number; readonly place: number }[]
  /** idle stretches that were drawn short: their middle, and how long they really were */
  readonly breaks: readonly { readonly place: number; readonly ms: number }[]
}

/** An idle stretch is drawn this wide at most, so that seconds of work stay visible beside hours of waiting. */
const BREAK_WIDTH = 44
/** A stretch in which nothing ran is cut short when it takes more than this part of what is left. */
const LARGEST_PART = 0.2
const MOST_BREAKS = 6
const TICK_EVERY = 150
const LEAST_BETWEEN_TICKS = 70

/** Lays moments out on a line of this width; `busy` stretches keep their length beside each other. */
export function axisOf(moments: readonly number[], busy: readonly Span[], width: number): Axis {
  const points = [...new Set(moments)].sort((a, b) => a - b)
  const [first = 0] = points
  const gaps = points.slice(1).map((to, i) => ({ from: points[i] ?? first, to, isBreak: false }))
  const idle = gaps.filter(gap => !busy.some(({ from, to }) => from < gap.to && to > gap.from))
  for (let breaks = 0; breaks < MOST_BREAKS; breaks++) {
    const total = gaps.reduce((sum, gap) => sum + (gap.isBreak ? 0 : lengthOf(gap)), 0)
    const longest = idle.filter(gap => !gap.isBreak).sort((a, b) => lengthOf(b) - lengthOf(a))[0]
    if (longest === undefined || lengthOf(longest) <= total * LARGEST_PART || lengthOf(longest) === total)
      break
    longest.isBreak = true
  }
  const scale = scaleOf(gaps, width)
  let place = 0
  const pieces = gaps.map(gap => {
    const begins = place
    place += gap.isBreak ? BREAK_WIDTH : lengthOf(gap) * scale
    return { ...gap, begins, ends: place }
  })
  const placeOf = (at: number) => {
    const piece = pieces.find(({ to }) => at <= to) ?? pieces.at(-1)
    if (piece === undefined) return width / 2
    const part = Math.min(1, Math.max(0, (at - piece.from) / lengthOf(piece)))
    return piece.begins + part * (piece.ends - piece.begins)
  }
  return {
    place: placeOf,
    ticks: ticksOf(points, pieces, { place: placeOf, width }),
    breaks: pieces
      .filter(({ isBreak }) => isBreak)
      .map(piece => ({ place: (piece.begins + piece.ends) / 2, ms: lengthOf(piece) })),
  }
}

interface Gap extends Span {
  isBreak: boolean
}

type Piece = Gap & { readonly begins: number; readonly ends: number }

function lengthOf({ from, to }: Span): number {
  return to - from
}

function scaleOf(gaps: readonly Gap[], width: number): number {
  const breaks = gaps.filter(({ isBreak }) => isBreak).length
  const length = gaps.reduce((sum, gap) => sum + (gap.isBreak ? 0 : lengthOf(gap)), 0)
  return length === 0 ? 0 : Math.max(0, width - breaks * BREAK_WIDTH) / length
}

/** The ends, where time goes on after a break, and moments between; none so close that their labels would overlap. */
function ticksOf(
  points: readonly number[],
  pieces: readonly Piece[],
  { place, width }: { readonly place: (at: number) => number; readonly width: number },
) {
  const wanted = [...points.slice(0, 1), ...points.slice(-1)]
  for (const { to, isBreak } of pieces) if (isBreak) wanted.push(to)
  for (let x = TICK_EVERY; x < width; x += TICK_EVERY) {
    const piece = pieces.find(({ begins, ends, isBreak }) => !isBreak && begins < x && x <= ends)
    if (piece === undefined) continue
    const part = (x - piece.begins) / (piece.ends - piece.begins)
    wanted.push(Math.round(piece.from + part * lengthOf(piece)))
  }
  const ticks: { at: number; place: number }[] = []
  for (const at of [...new Set(wanted)].sort((a, b) => a - b)) {
    const here = place(at)
    const before = ticks.at(-1)
    if (before === undefined || here - before.place >= LEAST_BETWEEN_TICKS) ticks.push({ at, place: here })
  }
  return ticks
}
