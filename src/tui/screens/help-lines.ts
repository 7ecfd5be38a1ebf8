import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { KEYMAP, keyWords } from '../keymap.js'
import { layoutOf } from '../layout.js'
import type { State } from '../state.js'
import { fitTo, wrapTo } from '../width.js'
import { type Line, line } from './line.js'
import { scrolledLines } from './scrolled.js'

const CHAPTERS = ['Decide', 'Choose', 'Move', 'Screen'] as const

const KEY_COLUMNS = 14

/** Every key, from the keymap. */
export function helpLines(state: State, top: number): Line[] {
  const { columns, body } = layoutOf(state)
  return scrolledLines(helpAll(columns), { top, body, columns })
}

export function helpLineCount(state: State): number {
  return helpAll(layoutOf(state).columns).length
}

function helpAll(columns: number): Line[] {
  const room = columns - KEY_COLUMNS - 3
  return CHAPTERS.flatMap(chapter => [
    line(fitTo(safe(chapter), columns), 'title'),
    ...KEYMAP.filter(one => one.chapter === chapter).flatMap(({ keys, does }) =>
      wrapTo(safe(does), room).map((part, i) =>
        line(fitTo(words`  ${fitTo(i === 0 ? keysOf(keys) : words``, KEY_COLUMNS)} ${part}`, columns)),
      ),
    ),
  ])
}

function keysOf(keys: readonly string[]): Safe {
  return join(
    keys.map(key => safe(keyWords(key))),
    ' ',
  )
}
