import { isRemote, shownUrl } from '../core/shown-url.js'
import { looksLikeSqlite, readHead } from './sqlite-file/header.js'
import { requireNotOpenHere } from './sqlite-file/holders.js'
import { type LookedAt, lookAt, whyNotPlainFile } from './sqlite-file/look.js'
import { openSqliteFile, type SqliteFile } from './sqlite-file/open.js'
import { unreadable } from './unreadable.js'

/** One path, opened at most once however many sources look at it; or the URL of a server. */
export interface SourceFile {
  /** as it may be shown: a URL without its password */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'url' | 'other'
  /** where kind is `url`: the whole of it, password included; for no message */
  readonly url?: string
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
  if (isRemote(path)) return remote(path)
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

function remote(url: string): SourceFile {
  const path = shownUrl(url)
  return {
    path,
    kind: 'url',
    url,
    whyNotSqlite: () => 'is the address of a server, not a file',
    sqlite: () => {
      throw unreadable(path, 'is the address of a server, not a file', 'Name the database file.')
    },
    isStillCurrent: () => true,
    close: () => undefined,
  }
}

function whyNotSqlite(looked: LookedAt): string | undefined {
  const why = whyNotPlainFile(looked)
  if (why !== undefined) return why.problem
  return looksLikeSqlite(readHead(looked.path)) ? undefined : 'is not a SQLite database'
}
