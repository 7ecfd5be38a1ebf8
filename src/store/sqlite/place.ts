import {
  type BigIntStats,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statfsSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { LedgerError } from '../../core/errors.js'
import { refuseUnsafeFilesystem } from '../filesystem.js'
import { NEWEST_SCHEMA } from '../migrations/schemas.js'
import { inspectFile } from './header.js'
import { hold, isHeldHere } from './held.js'
import { isLockedByOther } from './lock-table.js'

/*
 * Where to open a ledger for reading, so that reading leaves no trace. An SQLite connection to a WAL database,
 * read-only ones too, makes a -wal and a -shm where there are none and leaves them behind; it rebuilds the
 * -shm of a killed writer; and it fails where the directory may not be written. So:
 *
 *   somebody has it open   in place: its -wal and -shm are there, and only they show what is committed
 *   nobody, no -wal        apart: a hard link of the file in a private directory; SQLite's -wal and -shm go there
 *   nobody, a -wal         apart: the same, with a copy of the -wal beside the link
 *   links do not work      apart: a copy of the file (another file system, a read-only one)
 *
 * Once SQLite has opened its files, the directory is removed again; the open descriptors stay good. Cost of a
 * link: 0.3 ms whatever the size of the ledger (16 GB: a copy would take 40 s). While reading apart nothing
 * keeps a writer that comes to life from writing into the linked file, so a reading counts only if file and
 * -wal are as they were before it.
 */

export interface Place {
  /** the path to give to SQLite */
  readonly file: string
  /** false once the ledger changed in a way that this opening cannot see */
  readonly isUnchanged: () => boolean
  /** removes the private directory; to be called when SQLite has its files open */
  readonly forget: () => void
  /** after the connection is closed */
  readonly release: () => void
}

export interface LocateOptions {
  readonly path: string
  /** read in place whatever it looks like: it changes too often to be read apart */
  readonly inPlace: boolean
  readonly typeOf?: (directory: string) => number | null
}

/** Chooses the place and prepares it. 'changing': it was written this very moment; ask again in 20 ms. */
export function locate(options: LocateOptions): Place | 'changing' {
  const given = resolve(options.path)
  const { stats, isWal } = inspectFile(given, NEWEST_SCHEMA)
  // SQLite looks for -wal and -shm beside the file itself, not beside a link to it.
  const path = realpathSync(given)
  refuseUnsafeFilesystem(dirname(path), options.typeOf)
  const isInPlace = options.inPlace || !isWal || isHeldHere(stats) || isOpenElsewhere(path, stats.ino)
  const place = isInPlace ? inPlace(path, stats) : apart(path)
  if (place === 'changing' || path === given) return place
  return { ...place, isUnchanged: () => place.isUnchanged() && leadsTo(given, path) }
}

function leadsTo(given: string, path: string): boolean {
  try {
    return realpathSync(given) === path
  } catch {
    return false
  }
}

function isOpenElsewhere(path: string, inode: number): boolean {
  const shared = statSync(`${path}-shm`, { throwIfNoEntry: false })
  return shared !== undefined && isLockedByOther([inode, shared.ino]) === true
}

function inPlace(path: string, file: { readonly dev: number; readonly ino: number }): Place {
  const release = hold(file)
  return {
    file: path,
    isUnchanged: () => statSync(path, { throwIfNoEntry: false })?.ino === file.ino,
    forget: () => undefined,
    release,
  }
}

function apart(path: string): Place | 'changing' {
  const before = fingerprint(path)
  const directory = privateDirectory(path)
  const remove = () => removeDirectory(directory)
  try {
    if (before.changedNs > statSync(directory, { bigint: true }).mtimeNs - 20_000_000n) {
      remove()
      return 'changing'
    }
    const file = join(directory, 'ledger.db')
    linkOrCopy(path, file)
    if (before.hasWal) copyOwn(`${path}-wal`, `${file}-wal`)
    const isUnchanged = () => fingerprint(path).text === before.text
    if (!isUnchanged()) {
      remove()
      return 'changing'
    }
    return { file, isUnchanged, forget: () => tolerantly(remove), release: () => tolerantly(remove) }
  } catch (error) {
    remove()
    throw cannotRead(path, error)
  }
}

/** What changes whenever a writer touches the file or its -wal; reading does not change it. */
function fingerprint(path: string) {
  const parts = [path, `${path}-wal`].map(name => statSync(name, { bigint: true, throwIfNoEntry: false }))
  const changedNs = parts.reduce(
    (latest, part) => (part && part.mtimeNs > latest ? part.mtimeNs : latest),
    0n,
  )
  return { text: parts.map(shown).join(' '), changedNs, hasWal: (parts[1]?.size ?? 0n) > 0n }
}

function shown(part: BigIntStats | undefined): string {
  return part ? `${part.dev}:${part.ino}:${part.size}:${part.mtimeNs}` : 'none'
}

/** In the system's directory for such things where a link can reach it, else beside the ledger where that disk has room. */
function privateDirectory(path: string): string {
  const device = statSync(path).dev
  const isReachable = statSync(tmpdir(), { throwIfNoEntry: false })?.dev === device
  if (!isReachable && hasRoomBeside(path)) {
    try {
      return mkdtempSync(join(dirname(path), '.agent-ledger-reading-'))
    } catch {
      // may not be written: then the file is copied
    }
  }
  return mkdtempSync(join(tmpdir(), 'agent-ledger-reading-'))
}

/** A -shm has 32 KiB at first; a full disk is the very moment when somebody has to look. */
const ROOM_FOR_SHM = 65_536n

function hasRoomBeside(path: string): boolean {
  const wal = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false })?.size ?? 0n
  const { bavail, bsize } = statfsSync(dirname(path), { bigint: true })
  return bavail * bsize >= wal + ROOM_FOR_SHM
}

function linkOrCopy(path: string, target: string): void {
  try {
    linkSync(path, target)
    return
  } catch {
    // another device, a read-only one, no hard links there, or a file that is not ours to link
  }
  refuseWithoutSpace(path, dirname(target))
  copyOwn(path, target)
}

function copyOwn(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  chmodSync(to, 0o600)
}

function refuseWithoutSpace(path: string, directory: string): void {
  const { size } = statSync(path, { bigint: true })
  const { bavail, bsize } = statfsSync(directory, { bigint: true })
  if (size < bavail * bsize) return
  throw new LedgerError(
    'ledger_unreadable',
    `${path} cannot be read where it is, and ${directory} has no room for a copy of ${size} bytes`,
    { path, hint: 'Copy the file together with its -wal to a directory with room, and read it there.' },
  )
}

/** It holds files alone. `rmSync` of a directory loads what walks through trees: 1 ms of a short command. */
function removeDirectory(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory)) unlinkSync(join(directory, name))
  rmdirSync(directory)
}

/** On Windows an open file cannot be removed: then it goes when the connection is closed. */
function tolerantly(remove: () => void): void {
  try {
    remove()
  } catch {
    // tried again at release; what is left lies in the system's temporary directory
  }
}

function cannotRead(path: string, error: unknown): unknown {
  if (error instanceof LedgerError || !(error instanceof Error && 'code' in error)) return error
  return new LedgerError('ledger_unreadable', `${path} cannot be read (${String(error.code)})`, {
    path,
    cause: error,
  })
}
