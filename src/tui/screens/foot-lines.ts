import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { actionOf } from '../actions.js'
import { KEYMAP, keyWords } from '../keymap.js'
import { verbsFor } from '../reduce.js'
import type { Dialog, State } from '../state.js'
import type { TextField } from '../text-field.js'
import { fitTo, widthOf, wrapTo } from '../width.js'
import { type Line, line } from './line.js'

/** A message or what is being typed, and the keys that do something now. */
export function footLines(state: State): Line[] {
  const { overlay, message, size } = state
  const { columns } = size
  const hints = line(fitTo(hintsOf(state), columns), 'dim')
  if (message !== null) {
    // What does not fit takes the place of the hints: half a reason is none.
    const [first = message.text, ...rest] = wrapTo(message.text, columns)
    const second = rest.length === 0 ? hints : line(fitTo(safe(rest.join(' ')), columns), message.tone)
    return [line(fitTo(first, columns), message.tone), second]
  }
  if (overlay?.kind === 'filter') return [line(fitTo(typing('/', overlay.field, columns), columns)), hints]
  if (overlay?.kind === 'command') {
    const found = verbsFor(overlay.field.text).slice(0, 6)
    return [
      line(fitTo(typing(':', overlay.field, columns), columns)),
      line(
        fitTo(
          found.length === 0
            ? words`nothing begins like that`
            : join(
                found.map(name => safe(name)),
                ' ',
              ),
          columns,
        ),
        'dim',
      ),
    ]
  }
  return [line(fitTo(words``, columns)), hints]
}

/** A field with its cursor, scrolled so that the cursor is seen. */
export function typing(label: string, { text, cursor }: TextField, columns: number): Safe {
  const before = safe(text.slice(0, cursor))
  const after = safe(text.slice(cursor))
  const room = Math.max(4, columns - widthOf(label) - 2)
  const head = widthOf(before) > room ? (`…${tailOf(before, room - 1)}` as Safe) : before
  return words`${safe(label)}${head}_${after}`
}

function tailOf(text: Safe, columns: number): string {
  const parts = [...text]
  while (widthOf(parts.join('')) > columns) parts.shift()
  return parts.join('')
}

function hintsOf(state: State): Safe {
  const { overlay } = state
  if (overlay?.kind === 'decision') return dialogHints(overlay, state)
  if (overlay?.kind === 'menu') return words`↑ ↓ choose   Enter take it   Esc back`
  if (overlay?.kind === 'help') return words`↑ ↓ scroll   Esc back`
  if (overlay?.kind === 'filter')
    return words`Enter keep it   Esc as it was   words, state:unknown age:>1h !word`
  const hints: Safe[] = []
  let width = 0
  for (const { keys, hint } of KEYMAP) {
    if (hint === undefined) continue
    const one = words`${safe(keyWords(keys[0] ?? ''))} ${safe(hint)}`
    width += widthOf(one) + (hints.length === 0 ? 0 : 2)
    if (width > state.size.columns) break
    hints.push(one)
  }
  return safe(hints.join('  '))
}

function dialogHints({ step, action }: Dialog, { isReadOnly }: State): Safe {
  switch (step.kind) {
    case 'form':
      return words`Enter go on   Tab next   Space switch   Ctrl-E editor   Esc leave it`
    case 'confirm': {
      const canDo = step.foreseen.items.some(({ refusal }) => refusal === null)
      const stage = canDo && actionOf(action).canStage ? words`   Ctrl-S into a plan` : words``
      if (!canDo) return words`Esc back`
      if (isReadOnly) return words`Esc back${stage}`
      return step.foreseen.code === null
        ? words`y do it${stage}   Esc back`
        : words`type the code, Enter${stage}   Esc back`
    }
    case 'over':
      return words`Enter go on`
    default:
      return words`Esc back`
  }
}
