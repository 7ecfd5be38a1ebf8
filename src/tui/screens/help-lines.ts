import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { KEYMAP, keyWords } from '../keymap.js'
import { layoutOf } from '../layout.js'
import type { State } from '../state.js'
import { fitTo } from '../width.js'
import { type Line, line } from './line.js'
import { filled } from './list-lines.js'

const CHAPTERS = ['Decide', 'Choose', 'Move', 'Screen'] as const

/** Every key, from the keymap. */
export function helpLines(state: State, top: number): Line[] {
  const { columns, body } = layoutOf(state)
  const all = CHAPTERS.flatMap(chapter => [
    line(fitTo(safe(chapter), columns), 'title'),
    ...KEYMAP.filter(one => one.chapter === chapter).map(({ keys, does }) =>
      line(fitTo(words`  ${fitTo(keysOf(keys), 14)} ${safe(does)}`, columns)),
    ),
  ])
  const from = Math.min(top, Math.max(0, all.length - body))
  return filled(all.slice(from), body, columns)
}

function keysOf(keys: readonly string[]): Safe {
  return join(
    keys.map(key => safe(keyWords(key))),
    ' ',
  )
}
