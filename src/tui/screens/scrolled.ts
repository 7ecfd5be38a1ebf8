import { safe, words } from '../../core/safe-text.js'
import { fitTo } from '../width.js'
import { type Line, line } from './line.js'
import { filled } from './list-lines.js'

interface Window {
  readonly top: number
  readonly body: number
  readonly columns: number
  /** how to come to what follows */
  readonly how?: string
}

/** As many of the lines as there is room for; the last one says how many more follow. */
export function scrolledLines(all: readonly Line[], { top, body, columns, how }: Window): Line[] {
  const from = Math.min(Math.max(0, top), Math.max(0, all.length - body))
  const shown = all.slice(from, from + body)
  const left = all.length - from - body
  if (left > 0 && shown.length > 0)
    shown[shown.length - 1] = line(
      fitTo(words`… ${left + 1} more lines${safe(how === undefined ? '' : `: ${how}`)}`, columns),
      'dim',
    )
  return filled(shown, body, columns)
}
