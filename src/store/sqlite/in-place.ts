import { type Stats, statSync } from 'node:fs'
import { LedgerError } from '../../core/errors.js'
import { homeOf } from './new.js'

/** Names a file as long as somebody has it open, and afterwards unless its inode is used again in the same moment. */
export function fileIdOf(file: Pick<Stats, 'dev' | 'ino' | 'birthtimeMs'>): string {
  return `${file.dev}:${homeOf(file)}`
}

/**
 * Refuses to go on when the path names another file than the one that was opened, or none. SQLite would read and write
 * the old one all the same, where nobody looks any more (https://www.sqlite.org/howtocorrupt.html 2.4, 2.5).
 * @throws LedgerError ledger_missing, ledger_replaced
 */
export function refuseOutOfPlace(path: string, opened: string): void {
  // One look at a name costs about three microseconds; a commit takes some hundred.
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && fileIdOf(found) === opened) return
  const facts = { commit: 'none' }
  if (found === undefined)
    throw new LedgerError('ledger_missing', `${path} is gone: it was moved or deleted while it was in use`, {
      path,
      hint: 'Put the file back where it was, with its -wal: what goes on finds it there.',
      facts,
    })
  throw new LedgerError('ledger_replaced', `${path} is another file than the ledger that was opened`, {
    path,
    facts,
  })
}
