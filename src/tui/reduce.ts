import { safe, words } from '../core/safe-text.js'
import { type Event, type Step, still } from './event.js'
import { KEYMAP, verbOf, verbsFor, verbWords } from './keymap.js'
import type { Typed } from './keys.js'
import { layoutOf } from './layout.js'
import { looked, lookFailed, ticked } from './looked.js'
import { answered, DEAF_MS, edited, typedInDialog } from './reduce-dialog.js'
import { actionAsked, decisionOpened, did } from './reduce-list.js'
import { helpLineCount } from './screens/help-lines.js'
import { arranged, detailWanted, scrolled, selectedId } from './selecting.js'
import { alarm, type Menu, type Overlay, type State } from './state.js'
import { fieldOf, typedInto } from './text-field.js'

/** The screen after something happened, and what is to be done about it. Pure. */
export function reduce(state: State, event: Event): Step {
  switch (event.kind) {
    case 'typed':
      return typed(state, event.typed, event.at)
    case 'resized': {
      const next = scrolled({ ...state, size: event.size })
      return {
        state: next,
        effects: state.size.columns === event.size.columns ? [] : detailWanted(next, false),
      }
    }
    case 'looked':
      return looked(state, event)
    case 'ticked':
      return ticked(state, event)
    case 'look_failed':
      return lookFailed(state, event.why)
    case 'detailed': {
      const { detail } = event
      if (detail.id !== selectedId(state) || detail.tab !== state.tab) return still(state)
      return still({ ...state, detail })
    }
    case 'chosen': {
      const { overlay } = state
      if (overlay?.kind !== 'menu' || overlay.id !== event.id) return still(state)
      return still({ ...state, overlay: { ...overlay, choices: event.choices } })
    }
    case 'foreseen':
    case 'progress':
    case 'over':
      return answered(state, event)
    case 'edited':
      return edited(state, event.field, event.text)
    case 'said':
      return still({ ...state, message: event.message })
  }
}

function typed(state: State, given: Typed, at: number): Step {
  if (given.kind === 'key') {
    // These mean the same everywhere.
    if (given.key === 'ctrl-c') return did(state, 'interrupt', at)
    if (given.key === 'ctrl-z') return did(state, 'suspend', at)
    if (given.key === 'ctrl-l') return did(state, 'repaint', at)
  }
  const apart = escapeAndLetter(state, given)
  if (apart !== null) return inTurn(state, apart, (now, one) => typed(now, one, at))
  const { overlay } = state
  if (overlay !== null) return typedOver(state, overlay, given, at)
  if (given.kind === 'paste')
    return still({ ...state, message: alarm(words`a paste does nothing here: keys are typed`) })
  const keys = given.kind === 'key' ? [given.key] : [...given.text]
  return inTurn(state, keys, (now, key) => {
    // What follows a key that opened a dialog was typed for the list: it goes no further.
    if (now.overlay !== null) return typedOver(now, now.overlay, { kind: 'text', text: key }, at)
    const verb = verbOf(key)
    return verb === undefined
      ? still(now)
      : did(now.message === null ? now : { ...now, message: null }, verb, at)
  })
}

/**
 * Alt and a letter are the same bytes as Esc and a letter that came at once, over a slow line: nothing here is bound to Alt,
 * so it is those two. Not where a text is being typed: there Alt-b is a habit of shells, and Esc would throw the text away.
 */
function escapeAndLetter({ overlay }: State, given: Typed): readonly Typed[] | null {
  if (given.kind !== 'key' || (overlay !== null && overlay.kind !== 'help' && overlay.kind !== 'menu'))
    return null
  const [, letter] = /^alt-(.)$/u.exec(given.key) ?? []
  return letter === undefined
    ? null
    : [
        { kind: 'key', key: 'escape' },
        { kind: 'text', text: letter },
      ]
}

function inTurn<T>(state: State, keys: readonly T[], act: (state: State, key: T) => Step): Step {
  return keys.reduce<Step>(
    (before, key) => {
      const next = act(before.state, key)
      return { state: next.state, effects: [...before.effects, ...next.effects] }
    },
    { state, effects: [] },
  )
}

function typedOver(state: State, overlay: Overlay, given: Typed, at: number): Step {
  switch (overlay.kind) {
    case 'decision':
      return typedInDialog(state, overlay, given, at)
    case 'menu':
      return typedInMenu(state, overlay, given, at)
    case 'help':
      return typedInHelp(state, overlay, given)
    case 'filter':
      return typedInFilter(state, overlay, given)
    case 'command':
      return typedInCommand(state, overlay, given, at)
  }
}

function typedInMenu(state: State, menu: Menu, given: Typed, at: number): Step {
  const keys = given.kind === 'key' ? [given.key] : given.kind === 'text' ? [...given.text] : []
  if (keys.includes('escape') || keys.includes('q')) return still({ ...state, overlay: null })
  const { choices } = menu
  if (at < menu.openedAt + DEAF_MS || choices === null) return still(state)
  const [key = ''] = keys
  if (key === 'enter') {
    const chosen = choices[menu.at]
    if (chosen === undefined) return still(state)
    if (!chosen.isAllowed) return still({ ...state, message: alarm(chosen.why ?? words`it is refused`) })
    return state.marks.size > 0
      ? actionAsked({ ...state, overlay: null }, chosen.action, at)
      : decisionOpened(state, chosen.action, { ids: [menu.id], marked: null, at })
  }
  const by = key === 'j' || key === 'down' ? 1 : key === 'k' || key === 'up' ? -1 : 0
  const to = (menu.at + by + choices.length) % Math.max(1, choices.length)
  return still({ ...state, message: null, overlay: { ...menu, at: to } })
}

function typedInHelp(state: State, help: Extract<Overlay, { kind: 'help' }>, given: Typed): Step {
  const key = given.kind === 'key' ? given.key : given.text
  if (['escape', 'q', '?', 'enter'].includes(key)) return still({ ...state, overlay: null })
  const by = STEPS[key] ?? 0
  const end = Math.max(0, helpLineCount(state) - layoutOf(state).body)
  return still({ ...state, overlay: { ...help, top: Math.min(Math.max(0, help.top + by), end) } })
}

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  down: 1,
  k: -1,
  up: -1,
  pagedown: 10,
  ' ': 10,
  pageup: -10,
  home: -1_000,
  end: 1_000,
}

/** The list follows while the filter is typed; Esc brings the one before back. */
function typedInFilter(state: State, overlay: Extract<Overlay, { kind: 'filter' }>, given: Typed): Step {
  if (given.kind === 'key' && given.key === 'escape')
    return arranged({ ...state, overlay: null, filter: overlay.before })
  if (given.kind === 'key' && given.key === 'enter') return still({ ...state, overlay: null })
  const field = typedInto(overlay.field, given)
  if (field === null) return still(state)
  const next = { ...state, overlay: { ...overlay, field } }
  return field.text === state.filter ? still(next) : arranged({ ...next, filter: field.text })
}

function typedInCommand(
  state: State,
  overlay: Extract<Overlay, { kind: 'command' }>,
  given: Typed,
  at: number,
): Step {
  const { field } = overlay
  if (given.kind === 'key' && given.key === 'escape') return still({ ...state, overlay: null })
  const found = verbsFor(field.text)
  if (given.kind === 'key' && given.key === 'tab') {
    const [first] = found
    return first === undefined
      ? still(state)
      : still({ ...state, overlay: { ...overlay, field: fieldOf(first) } })
  }
  if (given.kind === 'key' && given.key === 'enter') {
    const closed = { ...state, overlay: null }
    if (field.text.trim() === '') return still(closed)
    const binding = KEYMAP.find(({ verb }) => verbWords(verb) === field.text.trim())
    return binding === undefined
      ? still({
          ...closed,
          message: alarm(words`${safe(field.text)} is nothing that can be done here: ? lists it all`),
        })
      : did(closed, binding.verb, at)
  }
  const next = typedInto(field, given)
  return next === null ? still(state) : still({ ...state, overlay: { ...overlay, field: next } })
}
