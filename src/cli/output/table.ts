import { join, type Safe, safe } from '../../core/safe-text.js'
import type { Paint } from '../colour.js'
import { GAP, type Layout, layOut, type Room } from './layout.js'
import { cutTo, pad, widthOf } from './width.js'

/** One column of a table for people. */
export interface Column<Row> {
  readonly heading: string
  /** the text as it is in the row: making it safe is the table's work */
  readonly cell: (row: Row) => string
  /** the highest number is left out first on a narrow terminal; 0 stays */
  readonly rank: number
  /** it may be cut to this many columns; absent: never, as for ids, which a person copies */
  readonly least?: number
  readonly align?: 'left' | 'right'
  readonly paint?: (text: Safe, row: Row, paint: Paint) => Safe
}

/** A table whose widths were measured on its first rows; further rows are set to the same widths. */
export interface Table<Row> {
  readonly head: Safe
  readonly line: (row: Row) => Safe
  /** headings of the columns the terminal had no room for */
  readonly leftOut: readonly string[]
}

interface Shape {
  /** width of the terminal */
  readonly columns: number
  readonly paint: Paint
  /** masks secrets and makes safe; before anything is cut, or half a secret would be left */
  readonly show: (text: string) => Safe
}

export function createTable<Row>(
  columns: readonly Column<Row>[],
  sample: readonly Row[],
  shape: Shape,
): Table<Row> {
  const rooms = columns.map(column => roomOf(column, sample, shape))
  const layout = layOut(rooms, shape.columns)
  const cells = columns.flatMap((column, i) => {
    const width = layout.widths.get(i)
    return width === undefined ? [] : [{ column, width, isLast: isLast(layout, i) }]
  })
  return {
    head: shape.paint.bold(joined(cells.map(cell => set(safe(cell.column.heading), cell)))),
    line: row => {
      const texts = cells.map(cell => {
        const { column } = cell
        const text = shape.show(column.cell(row))
        const fitted = set(column.least === undefined ? text : cutTo(text, cell.width), cell)
        return column.paint === undefined ? fitted : column.paint(fitted, row, shape.paint)
      })
      return joined(texts)
    },
    leftOut: layout.leftOut.map(i => columns[i]?.heading ?? ''),
  }
}

function roomOf<Row>(column: Column<Row>, sample: readonly Row[], { columns, show }: Shape): Room {
  const { rank, least } = column
  const heading = widthOf(safe(column.heading))
  const widths = sample.map(row => widthOf(show(column.cell(row))))
  const widest = Math.max(heading, ...widths)
  if (least !== undefined) return { natural: widest, rank, least }
  // One id that is never cut must not take the room of all other rows: its own row runs over the edge.
  return { natural: Math.max(heading, ...widths.filter(width => width <= columns / 2)), widest, rank }
}

interface Cell<Row> {
  readonly column: Column<Row>
  readonly width: number
  readonly isLast: boolean
}

// Nothing is filled up after the last column: blanks at the end of a line would wrap.
function set<Row>(text: Safe, { column, width, isLast }: Cell<Row>): Safe {
  const align = column.align ?? 'left'
  return isLast && align === 'left' ? text : pad(text, width, align)
}

function isLast(layout: Layout, i: number): boolean {
  return i === Math.max(...layout.widths.keys())
}

function joined(texts: readonly Safe[]): Safe {
  return join(texts, safe(' '.repeat(GAP)))
}
