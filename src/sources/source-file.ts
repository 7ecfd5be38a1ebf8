import { looksLikeSqlite, readHead } from './sqlite-file/header.js'
import { requireNotOpenHere } from './sqlite-file/holders.js'
import { type LookedAt, lookAt, whyNotPlainFile } from './sqlite-file/look.js'
import { openSqliteFile, type SqliteFile } from './sqlite-file/open.js'

/** One path, opened at most once however many sources look at it. */
export interface SourceFile {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
  /** why it is no SQLite database, to put after the path; undefined when it is one */
  whyNotSqlite(): string | undefined
  /** Throws `ledger_unreadable`. */
  sqlite(): SqliteFile
  /** false where a writer changed it while it was read */
  isStillCurrent(): boolean
  close(): void
}

/** Throws `ledger_unreadable` where nothing is there. */
export function openSourceFile(path: string, options: { readonly scratchDir?: string } = {}): SourceFile {
  const looked = lookAt(path)
  // Before the first byte is read: closing the file again would already cost the locks.
  if (looked.stats.isFile()) requireNotOpenHere(looked)
  const kind = looked.stats.isFile() ? 'file' : looked.stats.isDirectory() ? 'folder' : 'other'
  let opened: SqliteFile | undefined
  return {
    path,
    kind,
    whyNotSqlite: () => (opened === undefined ? whyNotSqlite(looked) : undefined),
    sqlite: () => {
      opened ??= openSqliteFile(path, options)
      return opened
    },
    isStillCurrent: () => opened?.isStillCurrent() ?? true,
    close: () => opened?.close(),
  }
}

function whyNotSqlite(looked: LookedAt): string | undefined {
  const why = whyNotPlainFile(looked)
  if (why !== undefined) return why.problem
  return looksLikeSqlite(readHead(looked.path)) ? undefined : 'is not a SQLite database'
}
