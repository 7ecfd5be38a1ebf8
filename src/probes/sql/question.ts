import type { JsonValue } from '../../core/json.js'

/** rows beyond these are not read: an answer that long names nothing of ours alone */
export const MOST_ROWS = 1_000

export interface SqlQuestion {
  readonly query: string
  readonly params: readonly string[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Rows =
  | { readonly rows: readonly JsonValue[]; readonly isCut: boolean }
  | { readonly problem: string }
