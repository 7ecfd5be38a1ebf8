import type { CountedWarning } from '../../../core/importing/counts.js'
import { type Safe, words } from '../../../core/safe-text.js'
import type { Deps } from '../../deps.js'

/** One line a kind of warning: how often, what, and the first places. */
export function warningLines(warnings: readonly CountedWarning[], path: string, { show }: Deps): Safe[] {
  return warnings.map(({ code, count, message, where }) => {
    const places =
      where.length === 0
        ? words``
        : words` (${show(where.join(', '))}${count > where.length ? words`, …` : words``})`
    return words`${show(path)}: ${count} × ${show(code)}: ${show(message)}${places}`
  })
}
