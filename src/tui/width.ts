import stringWidth from 'string-width'
import type { Safe } from '../core/safe-text.js'

const ASCII = /^[ -~]*$/

/** Columns a safe text takes. Only safe text has a width: controls would count as nothing. */
export function widthOf(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text)
}

/** The text in at most `columns`; what is cut ends in `…`. */
export function cutTo(text: Safe, columns: number): Safe {
  if (columns <= 0) return '' as Safe
  if (widthOf(text) <= columns) return text
  // A part of a safe text is safe.
  return `${headOf(text, columns - 1)}…` as Safe
}

/** The text in at most `columns`, its end kept too: names that begin alike are told apart by it. */
export function cutInside(text: Safe, columns: number): Safe {
  if (widthOf(text) <= columns) return text
  const ends = Math.floor((columns - 1) / 2)
  return ends < 1
    ? cutTo(text, columns)
    : (`${headOf(text, columns - 1 - ends)}…${tailOf(text, ends)}` as Safe)
}

/** Exactly `columns` wide: cut, or filled with blanks. */
export function fitTo(text: Safe, columns: number): Safe {
  const cut = cutTo(text, columns)
  return `${cut}${' '.repeat(Math.max(0, columns - widthOf(cut)))}` as Safe
}

/** Behind a blank, and behind a comma: JSON has no blanks. */
const BREAKS = /(?<=[ ,])/

/** The text in lines of at most `columns`, broken at blanks and commas where there are any; further lines are indented. */
export function wrapTo(text: Safe, columns: number, indent = 0): Safe[] {
  if (widthOf(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(BREAKS)) {
    let rest = word
    while (widthOf(line + rest.trimEnd()) > columns) {
      const room = columns - widthOf(line)
      if (line.trim() !== '' && widthOf(rest.trimEnd()) <= columns - indent) {
        lines.push(line.trimEnd())
        line = ' '.repeat(indent)
        continue
      }
      const head = headOf(rest, Math.max(1, room))
      lines.push(line + head)
      rest = rest.slice(head.length)
      line = ' '.repeat(indent)
    }
    line += rest
  }
  if (line.trim() !== '') lines.push(line.trimEnd())
  return lines as Safe[]
}

function headOf(text: string, columns: number): string {
  if (ASCII.test(text)) return text.slice(0, columns)
  let kept = ''
  let width = 0
  for (const { segment } of segmenter().segment(text)) {
    const wider = width + widthOf(segment)
    if (wider > columns && kept !== '') break
    kept += segment
    width = wider
    if (width >= columns) break
  }
  return kept
}

/** The last `columns` of a text. */
export function tailOf(text: string, columns: number): string {
  if (ASCII.test(text)) return columns < 1 ? '' : text.slice(-columns)
  let kept = ''
  for (const { segment } of [...segmenter().segment(text)].reverse()) {
    if (widthOf(segment + kept) > columns) break
    kept = segment + kept
  }
  return kept
}

let made: Intl.Segmenter | undefined

function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter()
  return made
}
