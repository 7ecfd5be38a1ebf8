import type { CountedWarning } from '../../core/importing/counts.js'
import { type Safe, words } from '../../core/safe-text.js'
import type { RecordsRead } from '../../ledger/records-for-reading.js'
import type { Deps } from '../deps.js'

/** What was read of another system, and what was left out: for stderr. */
export function readLines(
  { source, why, records, warnings }: RecordsRead,
  path: string,
  show: Deps['show'],
): Safe[] {
  return [
    words`${show(path)} ${show(why)}: ${records} records read as ${show(source)}`,
    ...warningLines(warnings, path, show),
  ]
}

/** One line a kind of warning: how often, what, and the first places. */
export function warningLines(warnings: readonly CountedWarning[], path: string, show: Deps['show']): Safe[] {
  return warnings.map(({ code, count, message, where }) => {
    const more = count > where.length ? words`, …` : words``
    const places = where.length === 0 ? words`` : words` (${show(where.join(', '))}${more})`
    return words`${show(path)}: ${count} × ${show(code)}: ${show(message)}${places}`
  })
}

/** How often a terminal is told how far it is, in records. */
const STEP = 20_000

export function toldProgress({
  isTerminal,
  say,
}: {
  readonly isTerminal: boolean
  readonly say: Deps['say']
}) {
  return (records: number) => {
    if (isTerminal && records % STEP === 0) void say(words`${records} records`)
  }
}
