import { looksLikeSqlite, readHead } from './sqlite-file/header.js'
import { requireNotOpenHere } from './sqlite-file/holders.js'
import { lookAt } from './sqlite-file/look.js'
import { openSqliteFile, type SqliteFile } from './sqlite-file/open.js'

/** One path, opened at most once however many sources look at it. */
export interface SourceFile {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'other'
  isSqlite(): boolean
  /** Throws `ledger_unreadable`. */
  sqlite(): SqliteFile
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
    isSqlite: () => kind === 'file' && (opened !== undefined || looksLikeSqlite(readHead(looked.path))),
    sqlite: () => {
      opened ??= openSqliteFile(path, options)
      return opened
    },
    close: () => opened?.close(),
  }
}
