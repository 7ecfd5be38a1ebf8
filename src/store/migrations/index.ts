import { firstSchema } from './0001-ledger.js'

/** One step of the schema; `sql` runs inside one commit. Released steps are never edited, only followed. */
export interface Migration {
  readonly version: number
  readonly title: string
  readonly sql: string
}

/** Oldest first, numbered without a gap. What each leaves in a file stands in schemas.ts. */
export const MIGRATIONS: readonly Migration[] = [firstSchema]
