import type { ErrorCode } from '../errors.js'
import type { JsonObject } from '../json.js'
import type { Standing } from './decision.js'

/** What became of one decision of a plan: `would_be_done` in a dry run, `already` when it was carried out before. */
export type ApplyOutcome = 'done' | 'already' | 'would_be_done' | 'not_done'

/** apply@1: one decision of a plan; one line each. */
export interface ApplyBody extends JsonObject {
  readonly decision_id: string
  readonly operation_id: string
  /** `resolve confirmed`, `abandon` */
  readonly decision: string
  readonly outcome: ApplyOutcome
  /** how it stood when the plan was made */
  readonly seen: Standing
  /** how the operation stands now, or would; null where there is no such operation */
  readonly now: Standing | null
  /** what happened since the plan was made; null where nothing did */
  readonly changed: ChangedSince | null
  readonly undo: string | null
  readonly error: ApplyError | null
}

export interface ChangedSince extends JsonObject {
  readonly what: string
  readonly by: string | null
  readonly at: string | null
  readonly because: string | null
}

interface ApplyError extends JsonObject {
  readonly code: ErrorCode
  readonly message: string
  readonly rule: string | null
  readonly hint: string
  readonly exit_code: number
}

export const APPLY_FIELDS = [
  'decision_id',
  'operation_id',
  'decision',
  'outcome',
  'seen',
  'now',
  'changed',
  'undo',
  'error',
] as const satisfies readonly (keyof ApplyBody)[]
