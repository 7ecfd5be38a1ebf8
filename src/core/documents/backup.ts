import type { JsonObject } from '../json.js'

/** backup@1: the copy that was made. */
export interface BackupBody extends JsonObject {
  readonly output: string
  readonly ledger_id: string
  /** what was checked in the copy */
  readonly checked: {
    readonly operations: number
    readonly tasks: number
    readonly events: number
    readonly evidence: number
  }
}

export const BACKUP_FIELDS = [
  'output',
  'ledger_id',
  'checked',
] as const satisfies readonly (keyof BackupBody)[]
