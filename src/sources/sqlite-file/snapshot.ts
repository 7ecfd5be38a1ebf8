import { constants, copyFileSync, linkSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { reasonOf, unreadable } from '../unreadable.js'

/** A database and its `-wal` as they were at one moment, in a folder of their own (mode 0700). */
export interface Snapshot {
  readonly path: string
  /** false once a writer has touched the original since: what was read may be of two moments */
  isStillCurrent(): boolean
  /** takes the folder away, where the system allows that while the files are open; else `discard` does */
  forget(): void
  discard(): void
}

export interface SnapshotRequest {
  readonly path: string
  /** copies even where a link would do, for a file that SQLite has to write (a rollback journal is left) */
  readonly isWritable?: boolean
  readonly scratchDir?: string
}

/**
 * The main file is linked, because it may be very large and SQLite only reads it; where links fail it is copied. The
 * `-wal` is always copied: SQLite makes a `-shm` beside it and would wake an old reader's lock in the original's.
 */
export function takeSnapshot({ path, isWritable = false, scratchDir = tmpdir() }: SnapshotRequest): Snapshot {
  const folder = mkdtempSync(join(scratchDir, 'agent-ledger-'))
  waitUntilOlder(path, folder)
  const before = fingerprint(path)
  const copy = join(folder, 'database')
  const discard = () => rmSync(folder, { recursive: true, force: true })
  try {
    if (isWritable || !tryLink(path, copy)) copyWhole(path, copy, folder)
    for (const suffix of isWritable ? ['-wal', '-journal'] : ['-wal'])
      if (statSync(path + suffix, { throwIfNoEntry: false })) copyFileSync(path + suffix, copy + suffix)
  } catch (cause) {
    discard()
    if (cause instanceof Error && cause.name === 'LedgerError') throw cause
    throw unreadable(
      path,
      `cannot be copied for reading (${reasonOf(cause)})`,
      `Check the permissions of the file and of ${scratchDir}.`,
      cause,
    )
  }
  return {
    path: copy,
    isStillCurrent: () => fingerprint(path) === before,
    forget: () => {
      if (platform() !== 'win32') discard()
    },
    discard,
  }
}

// A kernel's clock for files ticks every few milliseconds; two changes within one tick could not be told apart. The new
// folder's own time is the file system's now.
const TICK_MS = 20

function waitUntilOlder(path: string, folder: string): void {
  const age = statSync(folder).mtimeMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  if (age >= 0 && age < TICK_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS)
}

function tryLink(path: string, copy: string): boolean {
  try {
    linkSync(path, copy)
    return true
  } catch {
    return false
  }
}

function copyWhole(path: string, copy: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const size = statSync(path).size
  if (size > bavail * bsize)
    throw unreadable(
      path,
      `has ${size} bytes, and ${folder} has room for ${bavail * bsize}`,
      'Set TMPDIR to a folder on the same file system as the database: there a link is enough.',
    )
  copyFileSync(path, copy, constants.COPYFILE_FICLONE)
}

// A checkpoint by a writer we could not see changes the main file; a growing -wal does not disturb a copy of it.
function fingerprint(path: string): string {
  const main = statSync(path, { throwIfNoEntry: false, bigint: true })
  return main === undefined ? 'gone' : `${main.ino} ${main.size} ${main.mtimeNs}`
}
