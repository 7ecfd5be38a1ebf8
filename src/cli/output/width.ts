import stringWidth from 'string-width'
import type { Safe } from '../../core/safe-text.js'

// Latin, Greek and Cyrillic letters, our ellipsis and the pictures of control characters take one column each; asking
// string-width about the first text beyond ASCII compiles patterns for 12 ms.
const NARROW = /^[ -~\u00A1-\u02FF\u0370-\u0482\u048A-\u052F…␀-␡]*$/

/** Columns a safe text takes on a terminal. Only safe text has a width: controls would count as nothing. */
export function widthOf(text: Safe): number {
  return NARROW.test(text) ? text.length : stringWidth(text)
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
