import type { JsonObject } from '../json.js'

/** redact@1: bodies that were blanked, or would be. */
export interface RedactBody extends JsonObject {
  readonly operation_id: string
  /** `redacted`; `would_redact` of a dry run; `nothing_left`: all of it was blanked before */
  readonly outcome: 'redacted' | 'would_redact' | 'nothing_left'
  readonly parts: readonly { readonly part: string; readonly n: number; readonly digest: string }[]
  readonly reason: string
  readonly by: string
}

export const REDACT_FIELDS = [
  'operation_id',
  'outcome',
  'parts',
  'reason',
  'by',
] as const satisfies readonly (keyof RedactBody)[]
