import type { Safe } from '../core/safe-text.js'
import type { ActionId, FieldName, Form } from './actions.js'
import type { Typed } from './keys.js'
import type { Row } from './row.js'
import type { Choice, Detail, Foreseen, Message, RowChange, State, Summary, Tab } from './state.js'
import type { Size } from './terminal.js'

/** What happens to the screen. */
export type Event =
  /** `at`: milliseconds since 1970 */
  | { readonly kind: 'typed'; readonly typed: Typed; readonly at: number }
  | { readonly kind: 'resized'; readonly size: Size }
  | ({ readonly kind: 'looked' } & Looked)
  | ({ readonly kind: 'ticked' } & Ticked)
  | { readonly kind: 'look_failed'; readonly why: Safe }
  | { readonly kind: 'detailed'; readonly detail: Detail }
  | { readonly kind: 'chosen'; readonly id: string; readonly choices: readonly Choice[] }
  | { readonly kind: 'foreseen'; readonly asking: number; readonly foreseen: Foreseen; readonly at: number }
  | { readonly kind: 'progress'; readonly asking: number; readonly line: Safe }
  | ({ readonly kind: 'over'; readonly asking: number; readonly at: number } & Over)
  | { readonly kind: 'edited'; readonly field: FieldName; readonly text: string | null }
  | { readonly kind: 'said'; readonly message: Message }

/** A list made anew, or longer. */
export interface Looked {
  readonly turn: number
  readonly isMore: boolean
  /** how many rows were asked for */
  readonly limit: number
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  readonly summary: Summary
}

/** What became of a list that stays as it is. */
export interface Ticked {
  readonly turn: number
  /** its first rows as they are now */
  readonly page: readonly Row[]
  /** what was written since the list was made, by operation */
  readonly changes: ReadonlyMap<string, RowChange>
  /** ids of operations and tasks that have a new entry: a takeover or a note changes no row. A claim has none; it changes its row */
  readonly touched: ReadonlySet<string>
  readonly summary: Summary
}

/** How a decision ended. */
export interface Over {
  readonly title: Safe
  readonly lines: readonly Safe[]
  readonly isRefused: boolean
  readonly decided: readonly string[]
  readonly undo: { readonly id: string; readonly undo: ActionId } | null
}

/** What is to be done outside of the state. */
export type Effect =
  | { readonly kind: 'look'; readonly turn: number; readonly isMore: boolean }
  | { readonly kind: 'tick' }
  /** `isSoon`: not before the selection has come to rest */
  | { readonly kind: 'detail'; readonly id: string; readonly tab: Tab; readonly isSoon: boolean }
  | { readonly kind: 'choices'; readonly id: string }
  | {
      readonly kind: 'foresee'
      readonly asking: number
      readonly action: ActionId
      readonly ids: readonly string[]
      readonly form: Form
    }
  | {
      readonly kind: 'carry_out'
      readonly asking: number
      readonly action: ActionId
      readonly foreseen: Foreseen
    }
  | { readonly kind: 'stage'; readonly asking: number; readonly foreseen: Foreseen }
  | { readonly kind: 'edit'; readonly field: FieldName; readonly text: string }
  | { readonly kind: 'copy'; readonly id: string }
  | { readonly kind: 'repaint' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'leave'; readonly code: number }

/** A state, and what is to be done about it. */
export interface Step {
  readonly state: State
  readonly effects: readonly Effect[]
}

export function still(state: State): Step {
  return { state, effects: [] }
}
