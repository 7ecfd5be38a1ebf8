import { type Safe, safe, words } from '../core/safe-text.js'
import { ACTIONS, type ActionId, actionOf, formOf } from './actions.js'
import { type Effect, type Step, still } from './event.js'
import { nearestRow, rowAt } from './items.js'
import type { Verb } from './keymap.js'
import { layoutOf } from './layout.js'
import { notHere } from './looked.js'
import { detailLineCount } from './screens/detail-lines.js'
import { arranged, detailWanted, isDetailSeen, movedBy, selectedAt, selectedId } from './selecting.js'
import { alarm, EMPTY, GROUPINGS, SCOPES, SORTS, type State, said, TABS } from './state.js'

/** What a verb does while no dialog is open. */
export function did(state: State, verb: Verb, at: number): Step {
  const scroll = scrollOf(verb, state)
  if (scroll !== null)
    return state.focus === 'detail' ? detailScrolled(state, scroll) : listMoved(state, scroll)
  switch (verb) {
    case 'open':
    case 'to_detail':
      return focused(state, 'detail')
    case 'to_list':
      return focused(state, 'list')
    case 'other_pane':
      return focused(state, state.focus === 'list' ? 'detail' : 'list')
    case 'back':
      return back(state)
    case 'quit':
      return state.focus === 'detail' ? focused(state, 'list') : leaving(state, 0)
    case 'interrupt':
      return leaving(state, 130)
    case 'next_tab':
      return tabbed(state)
    case 'filter': {
      const { filter } = state
      return still({ ...state, overlay: { kind: 'filter', field: EMPTY, before: filter } })
    }
    case 'only_marked':
      return arranged({ ...state, filter: state.filter === 'marked:' ? '' : 'marked:' })
    case 'group':
      return arranged({ ...state, grouping: nextOf(GROUPINGS, state.grouping) })
    case 'scope':
      return askedFor(state, { scope: nextOf(SCOPES, state.asked.scope) })
    case 'sort':
      return askedFor(state, { sort: nextOf(SORTS, state.asked.sort) })
    case 'refresh':
      return refreshed(state)
    case 'command':
      return still({ ...state, overlay: { kind: 'command', field: EMPTY } })
    case 'help':
      return still({ ...state, overlay: { kind: 'help', top: 0 } })
    case 'preview':
      return wanted({ ...state, hasPreview: !state.hasPreview, focus: 'list' })
    case 'repaint':
      return { state, effects: [{ kind: 'repaint' }] }
    case 'suspend':
      return { state, effects: [{ kind: 'suspend' }] }
    case 'copy': {
      const id = selectedId(state)
      return id === null ? notHere(state) : { state, effects: [{ kind: 'copy', id }] }
    }
    case 'undo':
      return state.last === null
        ? still({ ...state, message: said(words`nothing was decided here that can be taken back`) })
        : decisionOpened(state, state.last.undo, { ids: [state.last.id], marked: null, at })
    case 'menu':
      return menuOpened(state, at)
    case 'mark':
    case 'mark_range':
    case 'mark_up':
    case 'mark_down':
    case 'mark_all':
    case 'unmark':
      return marked(state, verb)
    default: {
      const action = ACTIONS.find(({ id }) => id === verb)
      return action === undefined ? still(state) : actionAsked(state, action.id, at)
    }
  }
}

/** Lines to go, from where one stands. */
function scrollOf(verb: Verb, { size, hasPreview }: State): number | null {
  const { body } = layoutOf({ size, hasPreview })
  const half = Math.max(1, Math.floor(body / 2))
  const page = Math.max(1, body - 1)
  switch (verb) {
    case 'down':
      return 1
    case 'up':
      return -1
    case 'half_down':
      return half
    case 'half_up':
      return -half
    case 'page_down':
      return page
    case 'page_up':
      return -page
    case 'first':
      return Number.NEGATIVE_INFINITY
    case 'last':
      return Number.POSITIVE_INFINITY
    default:
      return null
  }
}

function listMoved(state: State, by: number): Step {
  if (by === Number.NEGATIVE_INFINITY) return selectedAt(state, nearestRow(state.items, 0))
  if (by === Number.POSITIVE_INFINITY) return selectedAt(state, nearestRow(state.items, state.items.length))
  return movedBy(state, by)
}

function detailScrolled(state: State, by: number): Step {
  const most = Math.max(0, detailLineCount(state) - layoutOf(state).body)
  return still({ ...state, detailTop: Math.min(Math.max(0, state.detailTop + by), most) })
}

function focused(state: State, focus: State['focus']): Step {
  if (focus === 'detail' && selectedId(state) === null) return notHere(state)
  return wanted({ ...state, focus })
}

function wanted(state: State): Step {
  const id = selectedId(state)
  const isThere = state.detail?.id === id && state.detail?.tab === state.tab
  return { state, effects: isThere && isDetailSeen(state) ? [] : detailWanted(state, false) }
}

function back(state: State): Step {
  if (state.anchor !== null) return still({ ...state, anchor: null })
  if (state.focus === 'detail') return focused(state, 'list')
  if (state.filter !== '') return arranged({ ...state, filter: '' })
  return still({ ...state, message: null })
}

function tabbed(state: State): Step {
  const next = { ...state, tab: nextOf(TABS, state.tab), detailTop: 0 }
  return layoutOf(next).isSplit || next.focus === 'detail' ? wanted(next) : focused(next, 'detail')
}

function askedFor(state: State, change: Partial<State['asked']>): Step {
  return refreshed({ ...state, asked: { ...state.asked, ...change } })
}

export function refreshed(state: State): Step {
  const turn = state.turn + 1
  return {
    state: { ...state, isLoading: true, turn, message: null },
    effects: [{ kind: 'look', turn, isMore: false }, ...detailWanted(state, false)],
  }
}

export function leaving(state: State, code: number): Step {
  return { state, effects: [{ kind: 'leave', code }] }
}

function marked(state: State, verb: Verb): Step {
  const { items, at, anchor } = state
  const row = rowAt(items, at)
  const marks = new Map(state.marks)
  const withMarks = (next: State, effects: readonly Effect[] = []): Step => ({
    state: { ...next, marks },
    effects,
  })
  if (verb === 'unmark') return still({ ...state, marks: new Map(), anchor: null })
  if (verb === 'mark_all') {
    for (const item of items) if (item.kind === 'row') marks.set(item.row.id, item.row)
    return withMarks({ ...state, message: said(words`${marks.size} marked`) })
  }
  if (row === null) return notHere(state)
  if (verb === 'mark_range') {
    if (anchor === null)
      return still({ ...state, anchor: at, message: said(words`marking from here: go on and press v again`) })
    for (const item of items.slice(Math.min(anchor, at), Math.max(anchor, at) + 1))
      if (item.kind === 'row') marks.set(item.row.id, item.row)
    return withMarks({ ...state, anchor: null, message: said(words`${marks.size} marked`) })
  }
  if (verb === 'mark') {
    if (!marks.delete(row.id)) marks.set(row.id, row)
    const { state: next, effects } = movedBy(state, 1)
    return withMarks(next, effects)
  }
  marks.set(row.id, row)
  const { state: next, effects } = movedBy(state, verb === 'mark_down' ? 1 : -1)
  const there = rowAt(next.items, next.at)
  if (there !== null) marks.set(there.id, there)
  return withMarks(next, effects)
}

function menuOpened(state: State, at: number): Step {
  const id = selectedId(state)
  if (state.marks.size > 0) {
    const choices = ACTIONS.filter(({ isForMany }) => isForMany).map(({ id: action, title }) => ({
      action,
      title: safe(title),
      isAllowed: true,
      why: null,
    }))
    const [first = ''] = state.marks.keys()
    return still({
      ...state,
      overlay: { kind: 'menu', openedAt: at, at: 0, id: first, name: nameOf(state, first), choices },
    })
  }
  if (id === null) return notHere(state)
  return {
    state: {
      ...state,
      overlay: { kind: 'menu', openedAt: at, at: 0, id, name: nameOf(state, id), choices: null },
    },
    effects: [{ kind: 'choices', id }],
  }
}

/** A key that names an action: for the marked operations, or for the one selected. */
export function actionAsked(state: State, action: ActionId, at: number): Step {
  const { marks } = state
  if (marks.size > 0) {
    if (!actionOf(action).isForMany)
      return still({
        ...state,
        message: alarm(
          words`${safe(actionOf(action).verb)} is for one at a time: take the marks away with -`,
        ),
      })
    const shown = new Set(state.items.flatMap(item => (item.kind === 'row' ? [item.row.id] : [])))
    const hidden = [...marks.keys()].filter(id => !shown.has(id)).length
    return decisionOpened(state, action, {
      ids: [...marks.keys()],
      marked: { count: marks.size, hidden },
      at,
    })
  }
  const id = selectedId(state)
  if (id === null) return notHere(state)
  const { detail } = state
  const isCurrent = detail?.id === id && detail.version === rowAt(state.items, state.at)?.version
  const known = isCurrent ? detail.actions.find(one => one.action === action) : undefined
  if (known !== undefined && !known.isAllowed)
    return still({ ...state, message: alarm(known.why ?? words`it is refused`) })
  return decisionOpened(state, action, { ids: [id], marked: null, at })
}

interface Opening {
  readonly ids: readonly string[]
  readonly marked: { readonly count: number; readonly hidden: number } | null
  readonly at: number
}

export function decisionOpened(state: State, action: ActionId, { ids, marked, at }: Opening): Step {
  const form = formOf(actionOf(action))
  const asking = state.asking + 1
  const name = nameOf(state, ids[0] ?? '')
  const base = {
    kind: 'decision',
    action,
    ids,
    name,
    marked,
    openedAt: at,
    form,
    code: EMPTY,
    top: 0,
  } as const
  if (actionOf(action).asks.length === 0)
    return {
      state: { ...state, asking, message: null, overlay: { ...base, step: { kind: 'looking' } } },
      effects: [{ kind: 'foresee', asking, action, ids, form }],
    }
  return still({
    ...state,
    asking,
    message: null,
    overlay: { ...base, step: { kind: 'form', missing: null } },
  })
}

function nextOf<T>(all: readonly T[], one: T): T {
  return all[(all.indexOf(one) + 1) % all.length] ?? one
}

/** As the list shows it. */
function nameOf({ rows, marks }: State, id: string): Safe {
  return (marks.get(id) ?? rows.find(row => row.id === id))?.name ?? safe(id)
}
