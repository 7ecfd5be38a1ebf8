import type { Safe } from '../../core/safe-text.js'

// Latin, Greek and Cyrillic letters, arrows, our dashes, quotes and ellipsis, and the pictures of control characters
// take one column each.
const NARROW = /^[ -~\u00A1-\u02FF\u0370-\u0482\u048A-\u052F\u2013-\u201D\u2190-\u2193…␀-␡]*$/

let wide: ((text: string) => number) | undefined

/**
 * To be awaited before widths are asked for: loads string-width where one of the texts has other characters. Its
 * segmenter and emoji patterns cost a start 30 to 50 ms, and few lists need them.
 */
export async function prepareWidths(texts: Iterable<Safe>): Promise<void> {
  if (wide !== undefined) return
  for (const text of texts) {
    if (NARROW.test(text)) continue
    const { default: stringWidth } = await import('string-width')
    wide = stringWidth
    return
  }
}

/** Columns a safe text takes on a terminal. Only safe text has a width: controls would count as nothing. */
export function widthOf(text: Safe): number {
  if (NARROW.test(text)) return text.length
  if (wide === undefined) throw new Error(`prepareWidths was not awaited for ${JSON.stringify(text)}`)
  return wide(text)
}

/** The text in at most `columns`; what is cut ends in `…`. */
export function cutTo(text: Safe, columns: number): Safe {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    // A part of a safe text is safe.
    const wider = width + widthOf(segment as Safe)
    if (wider > columns - 1) break
    kept += segment
    width = wider
  }
  return `${kept}…` as Safe
}

/** The text with blanks up to `columns`. */
export function pad(text: Safe, columns: number, align: 'left' | 'right'): Safe {
  const blanks = ' '.repeat(Math.max(0, columns - widthOf(text)))
  return (align === 'left' ? text + blanks : blanks + text) as Safe
}
