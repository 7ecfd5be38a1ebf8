import { widthOf } from './width.js'

/** One column of a line: a character, and the sequences that colour it. */
export interface Cell {
  readonly char: string
  readonly style: string
}

// Latin, Greek and Cyrillic letters, arrows, our dashes and quotes, and the pictures of control characters take one
// column everywhere.
const NARROW_CLASS =
  ' -~\\u00A1-\\u00AC\\u00AE-\\u02FF\\u0370-\\u0482\\u048A-\\u052F\\u2013-\\u201D\\u2190-\\u2193…␀-␡'
const NARROW = new RegExp(`^[${NARROW_CLASS}]*$`)
const OTHER = new RegExp(`[^\\u001b${NARROW_CLASS}]+`, 'g')
const STYLE = /\u001b\[([\d;]*)m/g

/** A line as the terminal shows it, column by column; null where its widths cannot be relied on. */
export function cellsOf(line: string): readonly Cell[] | null {
  const cells: Cell[] = []
  let open = new Map<string, string>()
  let from = 0
  const take = (to: number): boolean => {
    const text = line.slice(from, to)
    if (!NARROW.test(text)) return false
    const style = [...open.values()].join('')
    // A blank looks the same in bold, dim and every colour: what is not seen need not be written.
    const ofBlanks = open.has('inverse') ? style : ''
    for (const char of text) cells.push({ char, style: char === ' ' ? ofBlanks : style })
    return true
  }
  for (const found of line.matchAll(STYLE)) {
    if (!take(found.index)) return null
    open = after(open, found[1] ?? '', found[0])
    from = found.index + found[0].length
  }
  return take(line.length) ? cells : null
}

/** Part of a line, and the column where it begins. */
export interface Piece {
  readonly text: string
  readonly column: number
}

/** A line cut behind whatever terminals may not agree about: emoji that are joined, marks, scripts they draw in their own way. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: other, index } of line.matchAll(OTHER)) {
    const end = index + other.length
    pieces.push({ text: line.slice(from, end), column: columnOf(line, from) })
    from = end
  }
  pieces.push({ text: line.slice(from), column: columnOf(line, from) })
  return pieces
}

/** Columns that are taken before a place in the line. */
function columnOf(line: string, place: number): number {
  return widthOf(line.slice(0, place).replace(STYLE, ''))
}

export const INVERSE = '\u001b[7m'

// What ends a style, as chalk writes it (ECMA-48 SGR).
const ENDS: Readonly<Record<string, string>> = { '22': 'weight', '27': 'inverse', '39': 'colour' }

function after(open: ReadonlyMap<string, string>, code: string, sequence: string): Map<string, string> {
  const next = new Map(open)
  const ended = ENDS[code]
  if (code === '0' || code === '') next.clear()
  else if (ended !== undefined) next.delete(ended)
  else next.set(code === '1' || code === '2' ? 'weight' : code === '7' ? 'inverse' : 'colour', sequence)
  return next
}
