import { join, type Safe, safe, words } from '../../core/safe-text.js'
import { actionOf } from '../actions.js'
import { rowAt } from '../items.js'
import { KEYMAP, keyWords, verbsFor } from '../keymap.js'
import { layoutOf } from '../layout.js'
import type { Dialog, State } from '../state.js'
import { cutTo, fitTo, widthOf, wrapTo } from '../width.js'
import { dialogEnd } from './dialog-lines.js'
import { type Line, line } from './line.js'
import { typing } from './typing.js'

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
  return [line(fitTo(whyOf(state), columns), 'dim'), hints]
}

/** Why the selected one is listed: in its row there is room for a part of it at most. */
function whyOf(state: State): Safe {
  const { overlay, items, at, size, focus } = state
  if (overlay !== null || focus === 'detail' || layoutOf(state).isSplit) return words``
  return cutTo(rowAt(items, at)?.why ?? words``, size.columns)
}

/** What the keys do now, the most needed first; those that there is no room for are left out whole. */
function hintsOf(state: State): Safe {
  const { columns } = state.size
  const hints: Safe[] = []
  let width = 0
  for (const one of allHints(state)) {
    width += widthOf(one) + (hints.length === 0 ? 0 : GAP.length)
    if (width > columns) break
    hints.push(one)
  }
  return join(hints, GAP)
}

const GAP = words`  `

function allHints(state: State): readonly Safe[] {
  const { overlay, focus } = state
  switch (overlay?.kind) {
    case 'decision':
      return dialogHints(overlay, state)
    case 'menu':
      return [words`Enter take it`, words`Esc back`, words`↑ ↓ choose`]
    case 'help':
      return [words`↑ ↓ scroll`, words`Esc back`]
    case 'filter':
      return [words`Enter keep it`, words`Esc as it was`, words`words, state:unknown age:>1h !word`]
    default:
  }
  const place = focus === 'detail' ? 'detailHint' : 'hint'
  return KEYMAP.flatMap(binding => {
    const does = binding[place]
    return does === undefined ? [] : [words`${safe(keyWords(binding.keys[0] ?? ''))} ${safe(does)}`]
  })
}

function dialogHints(dialog: Dialog, state: State): readonly Safe[] {
  const { step, action } = dialog
  const { asks, canStage } = actionOf(action)
  const scroll = dialogEnd(state, dialog) > 0 ? [words`PgDn PgUp scroll`] : []
  switch (step.kind) {
    case 'form':
      return [
        words`Enter go on`,
        words`Esc leave it`,
        ...(asks.length > 1 ? [words`Tab next`] : []),
        words`Ctrl-E editor`,
        ...(asks.some(({ kind }) => kind === 'switch') ? [words`Space switch`] : []),
      ]
    case 'confirm': {
      const { items, code } = step.foreseen
      if (!items.some(({ refusal }) => refusal === null)) return [words`Esc back`, ...scroll]
      const yes = state.isReadOnly ? [] : [code === null ? words`y do it` : words`Enter with the code`]
      return [...yes, words`Esc back`, ...(canStage ? [words`Ctrl-S plan`] : []), words`PgDn PgUp scroll`]
    }
    case 'over':
      return [words`Enter go on`, ...scroll]
    case 'working':
      return [words`it is being carried out: wait for its end`]
    case 'looking':
      return [words`Esc back`]
  }
}
