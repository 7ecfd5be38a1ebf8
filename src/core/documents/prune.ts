import type { JsonObject } from '../json.js'

/** prune@1: operations that went to an archive, or would. */
export interface PruneBody extends JsonObject {
  /** `pruned`; `would_prune` of a dry run; `nothing`: none may go */
  readonly outcome: 'pruned' | 'would_prune' | 'nothing'
  readonly settled_before: string
  readonly archive: string | null
  /** operations in the archive, or that would be */
  readonly archived: number
  readonly removed: { readonly operations: number; readonly events: number }
  /** removed by an earlier run with the same archive */
  readonly removed_before: number
  /** in the archive and still in the ledger */
  readonly left: readonly { readonly operation_id: string; readonly why: string }[]
  /** what stays, by the rule that keeps it */
  readonly kept: readonly { readonly rule: string; readonly title: string; readonly operations: number }[]
}

export const PRUNE_FIELDS = [
  'outcome',
  'settled_before',
  'archive',
  'archived',
  'removed',
  'removed_before',
  'left',
  'kept',
] as const satisfies readonly (keyof PruneBody)[]
