import { realpathSync, type Stats, statSync } from 'node:fs'
import { reasonOf, unreadable } from '../unreadable.js'

/** A path as it lies on the disk, links resolved: SQLite looks for `-wal` beside the file, not beside a link to it. */
export interface LookedAt {
  readonly path: string
  readonly stats: Stats
}

/**
 * Looks at the path without opening it, because opening a FIFO would wait for ever.
 * Throws `ledger_unreadable` where nothing is there or it may not be looked at.
 */
export function lookAt(path: string): LookedAt {
  try {
    const stats = statSync(path)
    // a pipe under /dev/stdin has no real path
    return { path: stats.isFile() || stats.isDirectory() ? realpathSync(path) : path, stats }
  } catch (cause) {
    const reason = reasonOf(cause)
    if (reason === 'ENOENT' || reason === 'ENOTDIR')
      throw unreadable(path, 'does not exist', 'Check the path; a relative one starts at the current folder.')
    throw unreadable(path, `cannot be looked at (${reason})`, 'Check the permissions of the path.', cause)
  }
}

/** Size in bytes of a file that may be absent. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/** Throws `ledger_unreadable` for everything that is not a plain file with something in it. */
export function requirePlainFile(looked: LookedAt): void {
  const why = whyNotPlainFile(looked)
  if (why !== undefined) throw unreadable(looked.path, why.problem, why.hint)
}

export function whyNotPlainFile({ path, stats }: LookedAt): { problem: string; hint: string } | undefined {
  if (stats.isDirectory())
    return { problem: 'is a folder, not a file', hint: 'Name the database file inside it.' }
  if (!stats.isFile())
    return {
      problem: 'is not a plain file (a pipe, socket or device)',
      hint: 'Copy its content to a file first.',
    }
  if (stats.size > 0) return undefined
  return {
    problem: sizeOf(`${path}-wal`) ? 'is empty, though a -wal lies beside it' : 'is empty',
    hint: 'Look whether the copy was complete; an agent that never got as far as its first checkpoint leaves nothing.',
  }
}
