import type { JsonObject } from '../json.js'

/** archive@1: what an archive holds, and whether it fits together. */
export interface ArchiveBody extends JsonObject {
  readonly ok: boolean
  readonly path: string
  readonly ledger_id: string
  readonly made_at: string
  readonly settled_before: string
  readonly operations: number
  readonly events: number
  /** of the whole file */
  readonly digest: string
  readonly findings: readonly string[]
}

export const ARCHIVE_FIELDS = [
  'ok',
  'path',
  'ledger_id',
  'made_at',
  'settled_before',
  'operations',
  'events',
  'digest',
  'findings',
] as const satisfies readonly (keyof ArchiveBody)[]
