import { randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { migrate } from './migrate.js'
import { insertMeta } from './sql-store/meta.js'
import { createFile } from './sqlite-create.js'
import { runSql } from './sqlite-run.js'

export interface NewLedgerFile {
  readonly path: string
  readonly createdAt: number
  /** the program and its version */
  readonly createdBy: string
  readonly typeOf?: (directory: string) => number | null
}

/** Makes an empty ledger with a new id. False: there is a file already, and it was left as it is. */
export function newLedgerFile({ path, createdAt, createdBy, typeOf }: NewLedgerFile): boolean {
  return createFile(
    path,
    (database, file) => {
      migrate(database, path)
      runSql(
        database,
        insertMeta({
          ledger_id: randomUUID(),
          incarnation: 1,
          home: homeOf(file),
          created_at: createdAt,
          created_by: createdBy,
        }),
      )
    },
    typeOf,
  )
}

/**
 * Names the file itself, wherever it is moved to: a copy or a restored backup is another file, with another
 * inode or another time of birth.
 */
export function homeOf(file: Pick<Stats, 'ino' | 'birthtimeMs'>): string {
  return `${file.ino}:${Math.trunc(file.birthtimeMs)}`
}
