import type { Stats } from 'node:fs'
import type { Stamp } from '../../core/time.js'
import { createMeta } from '../sql-store/meta.js'
import { createFile } from './create.js'
import { migrate } from './migrate.js'
import { runSql } from './run.js'

export interface NewLedgerFile {
  readonly path: string
  readonly now: Stamp
  /** the program and its version */
  readonly program: string
  readonly typeOf?: (directory: string) => number | null
}

/** Makes an empty ledger with a new id. False: there is a file already, and it was left as it is. */
export function newLedgerFile({ path, now, program, typeOf }: NewLedgerFile): boolean {
  return createFile(
    path,
    (database, file) => {
      migrate(database, path)
      database.transaction(() => runSql(database, createMeta({ now, program, home: homeOf(file) })))()
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
