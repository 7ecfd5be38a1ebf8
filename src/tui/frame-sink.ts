import { EventEmitter } from 'node:events'
import { type Cell, cellsOf, INVERSE, piecesOf } from './cells.js'
import type { Terminal } from './terminal.js'

/** Where the real cursor stands, counted from 0: magnifiers and screen readers follow it. */
export interface Cursor {
  readonly row: number
  readonly column: number
}

/**
 * Takes whole frames from Ink and writes what changed, each piece at its place. Ink's own ways out do not fit a full
 * screen: 6.8.0 clears screen and scrollback at every frame as high as the terminal, its incremental rendering is one
 * line off, and with CI set it draws nothing. In its debug mode it hands each frame over whole and once.
 */
export class FrameSink extends EventEmitter {
  readonly isTTY = true
  readonly #terminal: Pick<Terminal, 'size' | 'write'>
  #shown: readonly string[] = []
  #cursor: Cursor = { row: 0, column: 0 }
  /** nothing of what is on the screen can be relied on */
  #isStale = true
  #isOver = false

  constructor(terminal: Pick<Terminal, 'size' | 'write'>) {
    super()
    this.#terminal = terminal
  }

  get columns(): number {
    return this.#terminal.size().columns
  }

  get rows(): number {
    return this.#terminal.size().rows
  }

  /** Where the cursor belongs from the next frame on. */
  place(cursor: Cursor): void {
    this.#cursor = cursor
  }

  /** All of it is painted, on a screen that may show anything. */
  repaint(): void {
    this.#isStale = true
    this.write(this.#shown.join('\n'))
  }

  /** The next frame is painted whole: the screen has another size. */
  spoil(): void {
    this.#isStale = true
  }

  /** Nothing is written any more: the terminal is somebody else's. */
  end(): void {
    this.#isOver = true
  }

  write(frame: string): boolean {
    // Ink hides and shows the cursor by itself.
    if (this.#isOver || frame === HIDE || frame === SHOW) return true
    const lines = frame.replace(/\n$/, '').split('\n').slice(0, this.rows)
    const painted = this.#isStale ? whole(lines, this.rows) : changed(this.#shown, lines, this.columns)
    const { row, column } = this.#cursor
    this.#shown = lines
    this.#isStale = false
    if (painted !== '') this.#terminal.write(`${BEGIN}${painted}${at(row, column)}${END}`)
    return true
  }
}

// Synchronized output (mode 2026): a terminal that knows it shows the frame at once, others ignore it.
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'
const ERASE_REST = '\u001b[K'
const ERASE_BELOW = '\u001b[J'
const PLAIN = '\u001b[0m'

function whole(lines: readonly string[], rows: number): string {
  const painted = lines.map((line, i) => wholeLine(i, line)).join('')
  return lines.length < rows ? painted + at(lines.length, 0) + ERASE_BELOW : painted
}

// A line is erased before it is written: behind one as wide as the screen the cursor stands on its last column. Where
// terminals may disagree about a width, what follows is put at its place, so that it stands there on each of them.
function wholeLine(row: number, line: string): string {
  const painted = piecesOf(line).map(({ text, column }) => (column === 0 ? text : at(row, column) + text))
  return at(row, 0) + ERASE_REST + painted.join('') + PLAIN
}

function changed(before: readonly string[], after: readonly string[], columns: number): string {
  let painted = ''
  for (let i = 0; i < Math.max(before.length, after.length); i++)
    if (before[i] !== after[i]) painted += changedLine(i, before[i] ?? '', after[i] ?? '', columns)
  return painted
}

/** Equal cells between two pieces that are cheaper to write than to jump over. */
const SHORTEST_JUMP = 10

function changedLine(row: number, before: string, after: string, columns: number): string {
  const was = cellsOf(before)
  const is = cellsOf(after)
  if (was === null || is === null) return wholeLine(row, after)
  // Blanks up to the end are erased, not written.
  const end = endOf(is)
  // A place behind the last column is the last column: erasing from there would take what stands in it.
  const isErased = end < columns && was.slice(end).some(({ char, style }) => char !== ' ' || style !== '')
  let painted = ''
  let from = -1
  let last = -1
  const flush = () => {
    if (from !== -1) painted += at(row, from) + styled(is.slice(from, last + 1))
    from = -1
  }
  for (let column = 0; column < end; column++) {
    const cell = is[column]
    const other = was[column]
    if (cell === undefined || (cell.char === other?.char && cell.style === other.style)) continue
    if (from !== -1 && column - last > SHORTEST_JUMP) flush()
    if (from === -1) from = column
    last = column
  }
  flush()
  return isErased ? `${painted}${at(row, end)}${ERASE_REST}` : painted
}

/** Where nothing but plain blanks follows. */
function endOf(cells: readonly Cell[]): number {
  const last = cells.findLastIndex(({ char, style }) => char !== ' ' || style !== '')
  return last + 1
}

function styled(cells: readonly Cell[]): string {
  let text = ''
  let style = ''
  for (const cell of cells) {
    // A plain blank between two words of one style is written in theirs.
    const isCarried = cell.char === ' ' && cell.style === '' && !style.includes(INVERSE)
    if (cell.style !== style && !isCarried) {
      text += (style === '' ? '' : PLAIN) + cell.style
      style = cell.style
    }
    text += cell.char
  }
  return style === '' ? text : text + PLAIN
}

function at(row: number, column: number): string {
  return `\u001b[${row + 1};${column + 1}H`
}
