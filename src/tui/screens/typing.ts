import { type Safe, safe, words } from '../../core/safe-text.js'
import type { TextField } from '../text-field.js'
import { tailOf, widthOf } from '../width.js'

/** A field with its cursor, scrolled so that the cursor is seen. */
export function typing(label: string, { text, cursor }: TextField, columns: number): Safe {
  const before = safe(text.slice(0, cursor))
  const after = safe(text.slice(cursor))
  const room = Math.max(4, columns - widthOf(label) - 2)
  const head = widthOf(before) > room ? (`…${tailOf(before, room - 1)}` as Safe) : before
  return words`${safe(label)}${head}_${after}`
}
