import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { pad, widthOf } from '../output/width.js'

/** Lines of two columns, the second one wrapped under itself to stay below 100 columns. */
export function pairs(rows: readonly (readonly [string, string])[]): Safe {
  const left = Math.max(...rows.map(([term]) => widthOf(safe(term))))
  return join(
    rows.map(([term, text]) => {
      const lines = wrapped(text, 96 - left)
      const indent = safe(`\n${' '.repeat(left + 4)}`, { multiline: true })
      return words`  ${pad(safe(term), left, 'left')}  ${joinLines(lines, indent)}`
    }),
    '\n',
  )
}

/** The text broken at blanks into lines of at most so many characters. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= columns) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

function joinLines(lines: readonly string[], indent: Safe): Safe {
  return join(
    lines.map(line => safe(line)),
    indent,
  )
}
