import type { Safe } from '../core/safe-text.js'
import type { ActionId, FieldName, Form } from './actions.js'
import type { Grouping, Item } from './items.js'
import type { Row } from './row.js'
import type { Size } from './terminal.js'
import { EMPTY, type TextField } from './text-field.js'

export type Scope = 'attention' | 'unknown' | 'stalled' | 'open' | 'all'
export type Sort = 'risk' | 'age' | 'id'
export type Tab = 'operation' | 'task' | 'history'

export const SCOPES: readonly Scope[] = ['attention', 'unknown', 'stalled', 'open', 'all']
export const SORTS: readonly Sort[] = ['risk', 'age', 'id']
export const GROUPINGS: readonly Grouping[] = ['none', 'cause', 'task']
export const TABS: readonly Tab[] = ['operation', 'task', 'history']

/** Everything the screen shows is made from this. It lives outside of React, and survives a suspension and an editor. */
export interface State {
  readonly size: Size
  readonly isReadOnly: boolean
  /** where staged decisions go */
  readonly planPath: string
  readonly ledger: Safe
  readonly asked: { readonly scope: Scope; readonly sort: Sort; readonly limit: number }
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly summary: Summary | null
  /** what became of rows since the list was made, by id */
  readonly changes: ReadonlyMap<string, RowChange>
  /** ids that were not there when the list was made */
  readonly fresh: ReadonlySet<string>
  readonly grouping: Grouping
  readonly filter: string
  readonly items: readonly Item[]
  /** place of the selected row among the items; -1: none */
  readonly at: number
  /** first item on the screen */
  readonly top: number
  /** where a range began; null: none is being marked */
  readonly anchor: number | null
  readonly marks: ReadonlyMap<string, Row>
  readonly focus: 'list' | 'detail'
  readonly hasPreview: boolean
  readonly tab: Tab
  readonly detail: Detail | null
  readonly detailTop: number
  readonly overlay: Overlay | null
  readonly message: Message | null
  /** why the ledger cannot be looked at now; null while it can */
  readonly trouble: Safe | null
  readonly isLoading: boolean
  /** the decision that was taken last, and what takes it back */
  readonly last: { readonly id: string; readonly undo: ActionId } | null
  /** counts the lists that were asked for: answers to an older one are dropped */
  readonly turn: number
  /** the same for what dialogs ask */
  readonly asking: number
}

export interface Summary {
  readonly inDoubt: Count
  readonly total: Count | null
  readonly oldest: Safe | null
  readonly risk: Safe | null
  readonly stalled: Count
  readonly isSilent: boolean
  readonly lastEntry: Safe | null
}

/** Counting may have stopped. */
export interface Count {
  readonly count: number
  readonly isLeast: boolean
}

export interface RowChange {
  readonly status: string
  readonly version: number
  readonly by: Safe
}

export interface Message {
  readonly text: Safe
  readonly tone: 'plain' | 'alarm'
}

/** A piece of an operation, a report or a history: safe, not yet broken into lines. */
export interface Block {
  readonly text: Safe
  readonly tone: 'plain' | 'title' | 'command' | 'dim'
  readonly indent: number
}

export interface Detail {
  readonly id: string
  readonly tab: Tab
  readonly version: number
  readonly blocks: readonly Block[]
  readonly actions: readonly Choice[]
}

export type Overlay =
  | { readonly kind: 'help'; readonly top: number }
  | { readonly kind: 'filter'; readonly field: TextField; readonly before: string }
  | { readonly kind: 'command'; readonly field: TextField }
  | Menu
  | Dialog

export interface Menu {
  readonly kind: 'menu'
  readonly openedAt: number
  readonly at: number
  readonly id: string
  readonly name: Safe
  /** null while it is being asked */
  readonly choices: readonly Choice[] | null
}

export interface Choice {
  readonly action: ActionId
  readonly isAllowed: boolean
  readonly title: Safe
  readonly why: Safe | null
}

export interface Dialog {
  readonly kind: 'decision'
  readonly action: ActionId
  /** the operations it is for; of a task, one of its operations */
  readonly ids: readonly string[]
  /** the first of them as it is shown */
  readonly name: Safe
  /** how many were marked, and how many of those the filter hides; null: it is for the selected one */
  readonly marked: { readonly count: number; readonly hidden: number } | null
  readonly openedAt: number
  readonly form: Form
  readonly code: TextField
  readonly step: Step
  readonly top: number
}

export type Step =
  | { readonly kind: 'form'; readonly missing: FieldName | null }
  | { readonly kind: 'looking' }
  | { readonly kind: 'confirm'; readonly foreseen: Foreseen; readonly isWrong: boolean }
  | { readonly kind: 'working'; readonly lines: readonly Safe[] }
  | {
      readonly kind: 'over'
      readonly title: Safe
      readonly isRefused: boolean
      readonly lines: readonly Safe[]
    }

/** What a decision would do, as a person reads it before they say yes. */
export interface Foreseen {
  readonly items: readonly ForeseenItem[]
  /** further lines to read: what is sent, who looks at it */
  readonly lines: readonly Safe[]
  readonly dangers: readonly Safe[]
  /** to be typed; null: a plain y is enough */
  readonly code: string | null
  readonly command: Safe
  /** what is carried out; made by work.ts, opaque here */
  readonly carried: unknown
}

export interface ForeseenItem {
  readonly id: string
  readonly name: Safe
  readonly before: Safe
  readonly after: Safe
  /** why it would be refused; null: it would not */
  readonly refusal: Safe | null
}

/** Rows that are read at first, and by which steps more of them are. */
export const FIRST_ROWS = 500

/** What is shown before anything else was asked for. */
export const FIRST_ASKED: State['asked'] = { scope: 'attention', sort: 'risk', limit: FIRST_ROWS }

export function startState(given: Pick<State, 'size' | 'isReadOnly' | 'planPath' | 'ledger'>): State {
  return {
    ...given,
    asked: FIRST_ASKED,
    rows: [],
    hasMore: false,
    summary: null,
    changes: new Map(),
    fresh: new Set(),
    grouping: 'none',
    filter: '',
    items: [],
    at: -1,
    top: 0,
    anchor: null,
    marks: new Map(),
    focus: 'list',
    hasPreview: true,
    tab: 'operation',
    detail: null,
    detailTop: 0,
    overlay: null,
    message: null,
    trouble: null,
    isLoading: true,
    last: null,
    turn: 0,
    asking: 0,
  }
}

export function said(text: Safe): Message {
  return { text, tone: 'plain' }
}

export function alarm(text: Safe): Message {
  return { text, tone: 'alarm' }
}

export { EMPTY }
