import type { JsonObject } from '../json.js'

/** init@1: what `init` prints with `--json`. */
export interface InitBody extends JsonObject {
  /** false: there was a ledger already, and it was left as it is */
  readonly created: boolean
  readonly ledger_id: string
}

export const INIT_FIELDS = ['created', 'ledger_id'] as const satisfies readonly (keyof InitBody)[]
