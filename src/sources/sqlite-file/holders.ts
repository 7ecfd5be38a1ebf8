import { fstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { unreadable } from '../unreadable.js'
import type { LookedAt } from './look.js'

/**
 * Throws `ledger_unreadable` where this very process has the file open: closing any descriptor of a file drops all
 * POSIX locks that the process holds on it, so a second copy of SQLite in this process could lose its commits
 * (sqlite.org/howtocorrupt.html, section 2.2).
 */
export function requireNotOpenHere({ path, stats }: LookedAt): void {
  if (isOpenHere(stats))
    throw unreadable(
      path,
      'is open in this process',
      'Read it from another process (`agent-ledger checkpoint`), or close the saver first.',
    )
}

function isOpenHere(stats: Stats): boolean {
  return descriptors().some(descriptor => {
    try {
      const open = fstatSync(descriptor)
      return open.dev === stats.dev && open.ino === stats.ino
    } catch {
      return false
    }
  })
}

function descriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

/**
 * Does another process hold a SQLite lock on the file, so that reading it in place changes nothing? In WAL mode every
 * connection keeps one on the file and one on its `-shm` (sqlite.org/walformat.html, section 2.3.1). Answered from
 * proc_locks(5), by inode alone because stacked file systems show another device there. Elsewhere than on Linux, and
 * for processes of other PID namespaces, the answer is no: a snapshot is then taken, and checked afterwards.
 */
export function isHeldByOthers(path: string, stats: Stats): boolean {
  const inodes = new Set([stats.ino, statSync(`${path}-shm`, { throwIfNoEntry: false })?.ino])
  return lockedInodes().some(inode => inodes.has(inode))
}

function lockedInodes(): number[] {
  let text: string
  try {
    text = readFileSync('/proc/locks', 'latin1')
  } catch {
    return []
  }
  // 1: POSIX  ADVISORY  READ 3548 fe:00:1835031 128 128
  return [...text.matchAll(/[0-9a-f]+:[0-9a-f]+:(\d+) /g)].map(match => Number(match[1]))
}
