import { type Safe, safe, words } from '../../core/safe-text.js'
import type { Item } from '../items.js'
import { layoutOf } from '../layout.js'
import type { Row } from '../row.js'
import type { RowChange, State } from '../state.js'
import { cutInside, cutTo, fitTo } from '../width.js'
import { type Line, line, type Tone } from './line.js'

/** The rows of the list that are on the screen. */
export function listLines(state: State): Line[] {
  const { body, listColumns } = layoutOf(state)
  const { items, top } = state
  if (items.length === 0)
    return filled([line(fitTo(emptyWords(state), listColumns), 'dim')], body, listColumns)
  const shown = items.slice(top, top + body).map((item, i) => itemLine(state, item, top + i))
  return filled(shown, body, listColumns)
}

function emptyWords({ isLoading, filter, rows }: State): Safe {
  if (isLoading) return words`reading…`
  if (filter !== '' && rows.length > 0) return words`the filter lets none through: Esc takes it away`
  return words`nothing here. s shows others`
}

function itemLine(state: State, item: Item, place: number): Line {
  const { listColumns } = layoutOf(state)
  if (item.kind === 'group') return line(fitTo(words`- ${item.name} (${item.count})`, listColumns), 'title')
  const { row } = item
  const { marks, changes, anchor, at, focus } = state
  const isSelected = place === at
  const change = changes.get(row.id)
  const isGone = change !== undefined && change.version > row.version
  const isInRange = anchor !== null && inRange(place, anchor, at)
  const mark = marks.has(row.id) ? '*' : isInRange ? '+' : ' '
  const cells = isGone ? goneCells(row, change) : { ...row, short: shortState(row) }
  const text = fitTo(rowText(cells, { mark, isSelected, columns: listColumns }), listColumns)
  const tone = isGone ? 'dim' : toneOf(row)
  // Beside the operation that is read, it keeps its sign and no more: the keys are for the other pane.
  return line(text, isSelected ? (focus === 'list' ? 'selected' : 'title') : tone)
}

function inRange(place: number, anchor: number, at: number): boolean {
  return place >= Math.min(anchor, at) && place <= Math.max(anchor, at)
}

/** What a row shows; `short` is its state where there is little room. */
type Cells = Pick<Row, 'glyph' | 'name' | 'state' | 'age' | 'risk' | 'tool' | 'why'> & {
  readonly short: Safe
}

function goneCells(row: Row, { status, by }: RowChange): Cells {
  const short = safe(status)
  return { ...row, glyph: '=', state: words`now ${short}, by ${by}`, short, why: words`r takes it out` }
}

interface Shape {
  readonly mark: string
  readonly isSelected: boolean
  readonly columns: number
}

/** Columns go one by one as it grows narrow: the tool first, then the risk, the reason; id, state and age stay. */
function rowText(row: Cells, { mark, isSelected, columns }: Shape): Safe {
  const { glyph, name, state, short, age, risk, tool, why } = row
  const lead = safe(`${isSelected ? '>' : ' '}${mark}${glyph} `)
  const room = columns - lead.length
  // `not_executed` is the longest word for a state
  const stateColumns = columns < 50 ? 10 : columns < 60 ? 12 : 24
  const ageColumns = 7
  const narrow = room - stateColumns - ageColumns - 2
  if (columns < LEAST_WITH_REASON)
    return words`${lead}${fitTo(cutInside(name, narrow), narrow)} ${fitTo(columns < 60 ? short : state, stateColumns)} ${fitTo(age, ageColumns)}`
  const nameColumns = Math.min(30, Math.floor(room * 0.32))
  const base = words`${lead}${fitTo(cutInside(name, nameColumns), nameColumns)} ${fitTo(state, stateColumns)} ${fitTo(age, ageColumns)}`
  const left = narrow - nameColumns - 1
  const riskColumns = 12
  const toolColumns = 20
  if (left < riskColumns + 20) return words`${base} ${cutTo(why, left)}`
  if (left < riskColumns + toolColumns + 30)
    return words`${base} ${fitTo(risk, riskColumns)} ${cutTo(why, left - riskColumns - 1)}`
  return words`${base} ${fitTo(risk, riskColumns)} ${fitTo(tool, toolColumns)} ${cutTo(why, left - riskColumns - toolColumns - 2)}`
}

/** A reason cut to less than a few words says nothing; beside the list it stands whole. */
const LEAST_WITH_REASON = 72

function shortState({ state, status }: Row): Safe {
  if (state.includes('by hand')) return words`by hand`
  if (state.includes('stalled')) return words`stalled`
  return state.includes('in doubt') ? words`in doubt` : safe(status)
}

function toneOf({ glyph }: Row): Tone {
  switch (glyph) {
    case '?':
      return 'doubt'
    case '!':
      return 'alarm'
    case '>':
      return 'busy'
    default:
      return 'plain'
  }
}

/** As many lines as there is room for. */
export function filled(lines: readonly Line[], rows: number, columns: number): Line[] {
  const blank = line(fitTo(words``, columns))
  return Array.from({ length: rows }, (_, i) => lines[i] ?? blank)
}
