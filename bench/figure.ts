/** One figure beside its bar. */
export interface Figure {
  readonly what: string
  readonly value: number
  /** `x node -e 0`, `op/s`, `MB` */
  readonly unit: string
  /** the figure to reach; absent: shown for comparison */
  readonly bar?: { readonly is: 'at most' | 'at least'; readonly value: number }
}

/** A set of figures measured together, in one run on one machine. */
export interface Bench {
  readonly name: string
  /** `size`: how many operations the largest ledger has, where a bench has a choice */
  readonly measure: (size?: number) => Promise<readonly Figure[]>
}

export function holds({ value, bar }: Figure): boolean {
  if (bar === undefined) return true
  return bar.is === 'at most' ? value <= bar.value : value >= bar.value
}

/** Lines of a table for people. */
export function figureLines(figures: readonly Figure[]): string[] {
  const width = Math.max(...figures.map(({ what }) => what.length))
  return figures.map(figure => {
    const { what, value, unit, bar } = figure
    const verdict = bar === undefined ? '' : `  ${bar.is} ${bar.value}: ${holds(figure) ? 'held' : 'MISSED'}`
    return `  ${what.padEnd(width)}  ${value.toFixed(2).padStart(10)} ${unit}${verdict}`
  })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
