import { EventEmitter } from 'node:events'
import type { Terminal } from './terminal.js'

/**
 * Takes whole frames from Ink and writes the lines that changed, each at its place. Ink's own ways out do not fit a
 * full screen: 6.8.0 clears screen and scrollback at every frame as high as the terminal, its incremental rendering is
 * one line off, and with CI set it draws nothing. In its debug mode it hands each frame over whole and once.
 */
export class FrameSink extends EventEmitter {
  readonly isTTY = true
  readonly #terminal: Pick<Terminal, 'size' | 'write'>
  #shown: readonly string[] = []
  /** nothing of what is on the screen can be relied on */
  #isStale = true

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

  /** The next frame is painted whole, on a screen of perhaps another size. */
  repaint(): void {
    this.#isStale = true
    this.emit('resize')
  }

  write(frame: string): boolean {
    const lines = frame.replace(/\n$/, '').split('\n').slice(0, this.rows)
    const painted = this.#isStale ? whole(lines) : changed(this.#shown, lines)
    this.#shown = lines
    this.#isStale = false
    if (painted !== '') this.#terminal.write(`${BEGIN}${painted}${END}`)
    return true
  }
}

// Synchronized output (mode 2026): a terminal that knows it shows the frame at once, others ignore it.
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
const ERASE_REST = '\u001b[K'
const ERASE_BELOW = '\u001b[J'
const PLAIN = '\u001b[0m'

function whole(lines: readonly string[]): string {
  return `${lines.map((line, i) => at(i) + line + PLAIN + ERASE_REST).join('')}${at(lines.length)}${ERASE_BELOW}`
}

function changed(before: readonly string[], after: readonly string[]): string {
  let painted = ''
  for (let i = 0; i < Math.max(before.length, after.length); i++)
    if (before[i] !== after[i]) painted += at(i) + (after[i] ?? '') + PLAIN + ERASE_REST
  return painted
}

function at(line: number): string {
  return `\u001b[${line + 1};1H`
}
