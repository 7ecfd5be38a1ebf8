import type { JsonObject } from '../json.js'

/** init@1: what `init` prints with `--json`. */
export interface InitBody extends JsonObject {
  /** false: there was a ledger already, and its rows were left as they are */
  readonly created: boolean
  readonly ledger_id: string
  /** what `--roles` let use it; `made`: the server had none of that name before */
  readonly roles: readonly { readonly role: string; readonly made: boolean }[]
}

export const INIT_FIELDS = ['created', 'ledger_id', 'roles'] as const satisfies readonly (keyof InitBody)[]
