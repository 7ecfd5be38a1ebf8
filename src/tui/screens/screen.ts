import { isTooSmall, layoutOf } from '../layout.js'
import type { State } from '../state.js'
import { detailLines } from './detail-lines.js'
import { dialogLines, menuLines } from './dialog-lines.js'
import { footLines } from './foot-lines.js'
import { headLines, tooSmall } from './head-lines.js'
import { helpLines } from './help-lines.js'
import type { Line } from './line.js'
import { listLines } from './list-lines.js'

/** The whole screen as lines: one pane, or two beside each other. */
export interface Picture {
  readonly head: readonly Line[]
  readonly left: readonly Line[]
  /** null: the left pane has the whole width */
  readonly right: readonly Line[] | null
  readonly foot: readonly Line[]
}

export function pictureOf(state: State): Picture {
  if (isTooSmall(state)) return { head: [tooSmall(state)], left: [], right: null, foot: [] }
  return { head: headLines(state), foot: footLines(state), ...panesOf(state) }
}

function panesOf(state: State): Pick<Picture, 'left' | 'right'> {
  const { overlay, focus } = state
  switch (overlay?.kind) {
    case 'decision':
      return { left: dialogLines(state, overlay), right: null }
    case 'menu':
      return { left: menuLines(state, overlay), right: null }
    case 'help':
      return { left: helpLines(state, overlay.top), right: null }
    default:
  }
  if (layoutOf(state).isSplit) return { left: listLines(state), right: detailLines(state) }
  return { left: focus === 'detail' ? detailLines(state) : listLines(state), right: null }
}
