import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { SMALLEST } from '../layout.js'
import type { Count, State } from '../state.js'
import { cutTo, fitTo, tailOf, widthOf } from '../width.js'
import { type Line, line } from './line.js'

/** How much waits, and in which ledger; then what of it is shown, and where one stands. */
export function headLines(state: State): Line[] {
  const { size, trouble } = state
  const { columns } = size
  return [
    line(fitTo(firstOf(state), columns), 'title'),
    trouble === null
      ? line(shownOf(state), 'dim')
      : line(fitTo(words`! looking again: ${trouble}`, columns), 'alarm'),
  ]
}

/** Less of a ledger's name says nothing. */
const LEAST_OF_NAME = 12

function firstOf(state: State): Safe {
  const { size, ledger, isReadOnly } = state
  const mode = isReadOnly ? words` (reading only)` : words``
  const long = words`${countsOf(state, true)}${mode}`
  if (widthOf(long) > size.columns) return words`${countsOf(state, false)}${mode}`
  const room = size.columns - widthOf(long) - 2
  if (room < LEAST_OF_NAME) return long
  // Its end tells one ledger from another.
  const name = widthOf(ledger) <= room ? ledger : (`…${tailOf(ledger, room - 1)}` as Safe)
  return words`${fitTo(long, size.columns - widthOf(name))}${name}`
}

/** `isWhole`: with the words; without them the signs of the rows stand alone. */
function countsOf({ summary, marks, fresh, rows }: State, isWhole: boolean): Safe {
  if (summary === null) return words`reading…`
  const { inDoubt, oldest, risk, stalled, isSilent, lastEntry } = summary
  const whole = (text: string) => (isWhole ? safe(text) : words``)
  const parts: Safe[] = []
  if (inDoubt.count > 0) parts.push(words`? ${countWords(inDoubt)}${whole(' in doubt')}`)
  if (stalled.count > 0) parts.push(words`! ${countWords(stalled)}${whole(' stalled')}`)
  if (parts.length === 0 && rows.length === 0) parts.push(words`nothing needs a person`)
  if (fresh.size > 0) parts.push(words`${fresh.size} new${whole(' (r)')}`)
  if (marks.size > 0) parts.push(words`${marks.size} marked`)
  if (isSilent)
    parts.push(words`silent${lastEntry === null || !isWhole ? words`` : words` since ${lastEntry}`}`)
  if (oldest !== null) parts.push(words`oldest ${oldest}`)
  if (risk !== null) parts.push(words`${whole('riskiest ')}${risk}`)
  return join(parts, ', ')
}

export function countWords({ count, isLeast }: Count): Safe {
  return words`${grouped(count)}${isLeast ? words`+` : words``}`
}

function grouped(count: number): Safe {
  return safe(count.toLocaleString('en-US'))
}

const SCOPE_WORDS = {
  attention: 'what needs a person',
  unknown: 'in doubt',
  stalled: 'stalled',
  open: 'open',
  all: 'all',
} as const

function shownOf(state: State): Safe {
  const { asked, grouping, filter, items, rows, at, isLoading, size } = state
  const total = totalOf(state)
  const place = grouping === 'none' ? at + 1 : rowsBefore(items, at + 1)
  // Of what a filter lets through the place among it, for its end is where the keys stop.
  const count =
    filter === ''
      ? countWords(total)
      : words`${grouped(rowsBefore(items, items.length))} of ${grouped(rows.length)} read`
  const right = words`${grouped(place)}/${count}${isLoading ? words` …` : words``}`
  const parts = [safe(SCOPE_WORDS[asked.scope]), words`by ${safe(asked.sort)}`]
  // what hides rows is the last that a narrow screen leaves out
  if (filter !== '') parts.unshift(words`filter ${safe(filter)}`)
  if (grouping !== 'none') parts.push(words`in groups of one ${safe(grouping)}`)
  const left = cutTo(join(parts, ', '), Math.max(0, size.columns - widthOf(right) - 1))
  return words`${fitTo(left, size.columns - widthOf(right))}${right}`
}

/** How many there are: what was counted beside the first rows, or what was read since, where that is more. */
function totalOf({ rows, hasMore, summary }: State): Count {
  const counted = summary?.total ?? null
  const isRead = counted === null || (counted.isLeast && counted.count <= rows.length)
  return isRead ? { count: rows.length, isLeast: hasMore } : counted
}

/** How many of the first items are operations; the others are heads of groups. */
function rowsBefore(items: State['items'], end: number): number {
  let count = 0
  for (let i = 0; i < end; i++) if (items[i]?.kind === 'row') count++
  return count
}

export function tooSmall({ size }: State): Line {
  const { columns, rows } = size
  return line(
    cutTo(words`too small (${columns}x${rows}), needs ${SMALLEST.columns}x${SMALLEST.rows}`, columns),
    'alarm',
  )
}
