import { firstSchema } from './0001-ledger.js'

/** One step of the schema; `sql` runs inside one commit. Released steps are never edited, only followed. */
export interface Migration {
  readonly version: number
  readonly title: string
  readonly sql: string
  /** of the schema as it is after this step; see schema-check.ts */
  readonly schemaDigest: string
}

/** Oldest first, numbered without a gap. */
export const MIGRATIONS: readonly Migration[] = [firstSchema]

export const NEWEST_SCHEMA = MIGRATIONS.length
