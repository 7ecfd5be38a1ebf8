import type { JsonObject } from '../json.js'

/** migrate@1: a ledger that was moved, or could be. */
export interface MigrateBody extends JsonObject {
  readonly ledger_id: string
  readonly from: string
  readonly to: string
  readonly rows: number
  /**
   * `moved`, or `split` where it lies; `would_move`, `would_split` of a dry run; `was_there`: an earlier call finished it;
   * `taken_back`
   */
  readonly outcome: 'moved' | 'would_move' | 'was_there' | 'taken_back' | 'split' | 'would_split'
}

export const MIGRATE_FIELDS = [
  'ledger_id',
  'from',
  'to',
  'rows',
  'outcome',
] as const satisfies readonly (keyof MigrateBody)[]
