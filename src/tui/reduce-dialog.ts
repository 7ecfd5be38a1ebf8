import { isDecisionCode } from '../core/decision-code.js'
import { words } from '../core/safe-text.js'
import { actionOf, type FieldName, missingIn, textOf, typedIntoForm, withText } from './actions.js'
import { type Event, type Step, still } from './event.js'
import type { Typed } from './keys.js'
import { dialogEnd } from './screens/dialog-lines.js'
import { arranged } from './selecting.js'
import { alarm, type Dialog, EMPTY, type Foreseen, type State } from './state.js'
import { fieldOf, typedInto } from './text-field.js'

/** Keys that follow a dialog's opening sooner than this were meant for what was there before. */
export const DEAF_MS = 300

/** What typing does in the dialog of a decision. */
export function typedInDialog(state: State, dialog: Dialog, typed: Typed, at: number): Step {
  if (at < dialog.openedAt + DEAF_MS) return still(state)
  const { step } = dialog
  const key = typed.kind === 'key' ? typed.key : null
  if (key === 'escape') return escaped(state, dialog)
  if (key === 'pagedown' || key === 'pageup')
    return still(put(state, { ...dialog, top: scrolledTop(state, dialog, key) }))
  switch (step.kind) {
    case 'form':
      return typedInForm(state, dialog, typed)
    case 'confirm':
      return typedInConfirm(state, dialog, { typed, foreseen: step.foreseen })
    case 'over':
      return key === 'enter' || (typed.kind === 'text' && /^[ q]$/.test(typed.text))
        ? still({ ...state, overlay: null })
        : still(state)
    default:
      return still(state)
  }
}

function escaped(state: State, dialog: Dialog): Step {
  const { step, action } = dialog
  // What is being written is written: the answer is waited for.
  if (step.kind === 'working') return still(state)
  const canGoBack = (step.kind === 'confirm' || step.kind === 'looking') && actionOf(action).asks.length > 0
  if (!canGoBack) return still({ ...state, overlay: null, asking: state.asking + 1 })
  const next: Dialog = { ...dialog, code: EMPTY, top: 0, step: { kind: 'form', missing: null } }
  return still({ ...put(state, next), asking: state.asking + 1 })
}

function typedInForm(state: State, dialog: Dialog, typed: Typed): Step {
  const { action, form, ids } = dialog
  const known = actionOf(action)
  const asked = known.asks[form.at]
  if (typed.kind === 'key' && typed.key === 'ctrl-e' && asked?.kind === 'text')
    return {
      state,
      effects: [{ kind: 'edit', field: asked.name, text: form.texts.get(asked.name)?.text ?? '' }],
    }
  if (typed.kind === 'key' && typed.key === 'enter') {
    const isLast = form.at === known.asks.length - 1
    const missing = missingIn(known, form)
    // Enter goes on to the next thing that must be said; once all is said, to the preview.
    if (missing !== null) {
      const at = known.asks.indexOf(missing)
      const isSame = at === form.at || isLast
      return still(
        put(state, {
          ...dialog,
          form: { ...form, at },
          step: { kind: 'form', missing: isSame ? missing.name : null },
        }),
      )
    }
    const asking = state.asking + 1
    return {
      state: { ...put(state, { ...dialog, step: { kind: 'looking' } }), asking },
      effects: [{ kind: 'foresee', asking, action, ids, form }],
    }
  }
  const next = typedIntoForm(known, form, typed)
  return next === null
    ? still(state)
    : still(
        put({ ...state, message: null }, { ...dialog, form: next, step: { kind: 'form', missing: null } }),
      )
}

interface Confirming {
  readonly typed: Typed
  readonly foreseen: Foreseen
}

function typedInConfirm(state: State, dialog: Dialog, { typed, foreseen }: Confirming): Step {
  const { action, code } = dialog
  const asking = state.asking + 1
  const isPossible = foreseen.items.some(({ refusal }) => refusal === null)
  if (typed.kind === 'paste')
    return still({ ...state, message: alarm(words`a paste is no confirmation: type it`) })
  if (typed.kind === 'key' && typed.key === 'ctrl-s') {
    if (!isPossible || !actionOf(action).canStage) return still(state)
    return {
      state: { ...put(state, { ...dialog, step: { kind: 'working', lines: [] } }), asking },
      effects: [{ kind: 'stage', asking, foreseen }],
    }
  }
  if (!isPossible) return still(state)
  const isYes =
    foreseen.code === null
      ? typed.kind === 'text' && typed.text === 'y'
      : typed.kind === 'key' && typed.key === 'enter' && isDecisionCode(code.text, foreseen.code)
  if (isYes) {
    if (state.isReadOnly)
      return still({
        ...state,
        message: alarm(words`this screen is for reading only: Ctrl-S puts it into a plan`),
      })
    return {
      state: { ...put(state, { ...dialog, step: { kind: 'working', lines: [] } }), asking, message: null },
      effects: [{ kind: 'carry_out', asking, action, foreseen }],
    }
  }
  if (foreseen.code === null) return still(state)
  if (typed.kind === 'key' && typed.key === 'enter')
    return still(
      put(state, { ...dialog, code: EMPTY, step: { kind: 'confirm', foreseen, isWrong: code.text !== '' } }),
    )
  const field = typedInto(code, typed)
  return field === null
    ? still(state)
    : still(put(state, { ...dialog, code: field, step: { kind: 'confirm', foreseen, isWrong: false } }))
}

/** What an answer does to the dialog that asked for it; to another one nothing. */
export function answered(
  state: State,
  event: Extract<Event, { kind: 'foreseen' | 'progress' | 'over' }>,
): Step {
  const { overlay } = state
  const isMine = event.asking === state.asking && overlay?.kind === 'decision'
  if (event.kind === 'over') return over(state, event)
  if (!isMine) return still(state)
  if (event.kind === 'progress') {
    if (overlay.step.kind !== 'working') return still(state)
    return still(
      put(state, { ...overlay, step: { ...overlay.step, lines: [...overlay.step.lines, event.line] } }),
    )
  }
  const step = { kind: 'confirm', foreseen: event.foreseen, isWrong: false } as const
  return still(put(state, { ...overlay, step, openedAt: event.at, code: EMPTY, top: 0 }))
}

function over(state: State, event: Extract<Event, { kind: 'over' }>): Step {
  const { title, lines, isRefused, decided, undo } = event
  const { overlay } = state
  const marks = new Map([...state.marks].filter(([id]) => !decided.includes(id)))
  const base = { ...state, marks, last: undo ?? state.last }
  const isMine = event.asking === state.asking && overlay?.kind === 'decision'
  const next = isMine
    ? put(base, { ...overlay, openedAt: event.at, top: 0, step: { kind: 'over', title, isRefused, lines } })
    : { ...base, message: { text: title, tone: isRefused ? ('alarm' as const) : ('plain' as const) } }
  const seen = state.filter.includes('marked:') && decided.length > 0 ? arranged(next) : still(next)
  return { state: seen.state, effects: [...seen.effects, { kind: 'tick' }] }
}

/** A text came back from the editor; null: the editor failed. */
export function edited(state: State, field: FieldName, text: string | null): Step {
  const { overlay } = state
  if (overlay?.kind !== 'decision') return still(state)
  if (text === null)
    return still({
      ...state,
      message: alarm(
        words`the editor failed, the text is as it was: see $VISUAL and $EDITOR, or type it here`,
      ),
    })
  const { form } = overlay
  if (textOf(form, field) === text.trim()) return still(state)
  return still(put(state, { ...overlay, form: withText(form, field, fieldOf(text.trim())) }))
}

const SCROLL = 5

function scrolledTop(state: State, dialog: Dialog, key: 'pagedown' | 'pageup'): number {
  const end = dialogEnd(state, dialog)
  const top = Math.min(dialog.top, end)
  return key === 'pagedown' ? Math.min(end, top + SCROLL) : Math.max(0, top - SCROLL)
}

function put(state: State, dialog: Dialog): State {
  return { ...state, overlay: dialog }
}
