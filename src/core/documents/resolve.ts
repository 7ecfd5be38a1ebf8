import type { ErrorCode } from '../errors.js'
import type { JsonObject } from '../json.js'

/** What became of one decision: `would_be_done` in a dry run, `already` when it was carried out before. */
export type ResolveOutcome = 'done' | 'already' | 'would_be_done' | 'not_done'

/** resolve@1: one decision to settle an operation; one line each for many. */
export interface ResolveBody extends JsonObject {
  /** null for a single decision that was given no id */
  readonly decision_id: string | null
  readonly operation_id: string
  readonly as: 'confirmed' | 'not_executed'
  readonly outcome: ResolveOutcome
  /** how the operation stands now, or would; null where there is no such operation */
  readonly status: string | null
  readonly version: number | null
  readonly undo: string | null
  readonly error: ResolveError | null
}

interface ResolveError extends JsonObject {
  readonly code: ErrorCode
  readonly message: string
  readonly rule: string | null
  readonly hint: string
  readonly exit_code: number
}

export const RESOLVE_FIELDS = [
  'decision_id',
  'operation_id',
  'as',
  'outcome',
  'status',
  'version',
  'undo',
  'error',
] as const satisfies readonly (keyof ResolveBody)[]
