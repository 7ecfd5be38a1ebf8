import type { Action } from '../action.js'

/** What a task did lately, for the rules that look at more than its row. */
export interface Recent {
  /** oldest first: what was told of, and the operations that ended */
  readonly actions: readonly Action[]
  /** operations prepared or in flight */
  readonly open: number
  /** the operation that was confirmed last */
  readonly last_confirmed: { readonly operation_id: string; readonly at: number } | null
  /** the phase that runs now */
  readonly phase: string | null
}

export const NOTHING_RECENT: Recent = { actions: [], open: 0, last_confirmed: null, phase: null }
