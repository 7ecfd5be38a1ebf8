import type { Safe } from '../../core/safe-text.js'
import { join, words } from '../../core/safe-text.js'
import { prepareWidths, widthOf } from './width.js'

interface Room {
  readonly rows: number
  readonly columns: number
  /** where the rest is to be seen */
  readonly rest: Safe
}

/** The first lines of a text that fit on a screen, wrapped ones counted whole; the last one says how many are left out. */
export async function fitted(text: Safe, { rows, columns, rest }: Room): Promise<Safe> {
  // A piece of a safe text is safe, and so is one without its colours.
  const lines = text.split('\n') as Safe[]
  const bare = lines.map(line => line.replace(COLOURS, '') as Safe)
  await prepareWidths(bare)
  const heights = bare.map(line => Math.max(1, Math.ceil(widthOf(line) / columns)))
  // the cursor stands below the last line
  if (heights.reduce((sum, height) => sum + height, 0) < rows) return text
  let used = 0
  const kept = lines.filter((_, i) => {
    used += heights[i] ?? 1
    return used <= rows - 2
  })
  return join([...kept, words`… ${lines.length - kept.length} more lines: ${rest}`], '\n')
}

const COLOURS = /\u001b\[[\d;]*m/g
