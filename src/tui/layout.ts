import type { State } from './state.js'

/** How the screen is divided. */
export interface Layout {
  readonly columns: number
  readonly rows: number
  /** rows between the head and the foot */
  readonly body: number
  readonly isSplit: boolean
  readonly listColumns: number
  readonly detailColumns: number
}

/** between list and operation */
export const RULE = ' | '
const SPLIT_FROM = 100
const HEAD = 2
const FOOT = 2
export const SMALLEST = { columns: 40, rows: 8 } as const

export function isTooSmall({ size }: Pick<State, 'size'>): boolean {
  return size.columns < SMALLEST.columns || size.rows < SMALLEST.rows
}

export function layoutOf({ size, hasPreview }: Pick<State, 'size' | 'hasPreview'>): Layout {
  const { columns, rows } = size
  const isSplit = columns >= SPLIT_FROM && hasPreview
  const listColumns = isSplit ? Math.floor(columns * 0.55) - 1 : columns
  return {
    columns,
    rows,
    body: Math.max(1, rows - HEAD - FOOT),
    isSplit,
    listColumns,
    detailColumns: isSplit ? columns - listColumns - RULE.length : columns,
  }
}
