import { type Safe, words } from '../../core/safe-text.js'
import { rowAt } from '../items.js'
import { layoutOf } from '../layout.js'
import { selectedId } from '../selecting.js'
import type { Block, State } from '../state.js'
import { fitTo, wrapTo } from '../width.js'
import { type Line, line } from './line.js'
import { scrolledLines } from './scrolled.js'

/** The operation, its task's report or its history, as much as is on the screen. */
export function detailLines(state: State): Line[] {
  const { body, detailColumns } = layoutOf(state)
  const shown = scrolledLines(detailAll(state), { top: state.detailTop, body, columns: detailColumns })
  const row = rowAt(state.items, state.at)
  if (row !== null && state.detail !== null && state.detail.id !== row.id)
    shown[0] = line(fitTo(words`reading ${row.name}…`, detailColumns), 'dim')
  return shown
}

export function detailLineCount(state: State): number {
  return detailAll(state).length
}

function detailAll(state: State): readonly Line[] {
  const { detail, tab } = state
  const { detailColumns } = layoutOf(state)
  const id = selectedId(state)
  if (id === null) return []
  // What is read comes a moment later: until then what was there stays, so that nothing flickers.
  if (detail === null || (detail.tab !== tab && detail.id !== id)) return [line(words`reading…`, 'dim')]
  return wrapped(detail.blocks, detailColumns)
}

const known = new WeakMap<readonly Block[], { readonly columns: number; readonly lines: readonly Line[] }>()

/** Blocks broken into lines; kept for as long as the blocks and the width stay. */
function wrapped(blocks: readonly Block[], columns: number): readonly Line[] {
  const before = known.get(blocks)
  if (before?.columns === columns) return before.lines
  const lines = blocks.flatMap(block => blockLines(block, columns))
  known.set(blocks, { columns, lines })
  return lines
}

function blockLines({ text, tone, indent }: Block, columns: number): Line[] {
  const room = Math.max(10, columns - indent)
  const margin = ' '.repeat(indent)
  return wrapTo(text, room, 2).map(part =>
    line(
      fitTo(`${margin}${part}` as Safe, columns),
      tone === 'title' ? 'title' : tone === 'dim' ? 'dim' : 'plain',
    ),
  )
}
