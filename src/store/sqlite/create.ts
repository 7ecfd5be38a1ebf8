import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database } from 'better-sqlite3'
import { LedgerError } from '../../core/errors.js'
import { refuseUnsafeFilesystem } from '../filesystem.js'
import { sync } from '../sync.js'
import { connectForWriting } from './connection.js'

/**
 * Makes a new ledger file, whole or not at all: it is built under another name beside its place and linked
 * there at the end, so a kill leaves no half ledger and no two makers end up with one file. The file is
 * 0600 and directories made on the way are 0700. Returns false when another process was first.
 */
export function createFile(path: string, fill: Fill, typeOf?: TypeOf): boolean {
  if (existsSync(path)) return false // the usual case costs nothing; the link decides between two makers
  const directory = dirname(resolve(path))
  makeDirectory(directory)
  refuseUnsafeFilesystem(directory, typeOf)
  const building = `${path}.new-${randomBytes(6).toString('hex')}`
  try {
    closeSync(openSync(building, 'wx', 0o600))
    build(building, fill)
    sync(building)
    const isFirst = putInPlace(building, path)
    sync(directory)
    return isFirst
  } catch (error) {
    throw cannotCreate(path, error)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(building + suffix, { force: true })
  }
}

/** Writes what the file shall hold; `file` is the file as it will stay. */
type Fill = (database: Database, file: Stats) => void
type TypeOf = (directory: string) => number | null

function build(building: string, fill: Fill): void {
  const database = connectForWriting(building, () => undefined)
  try {
    fill(database, statSync(building))
  } finally {
    database.close() // as the last connection it checkpoints and removes -wal and -shm
  }
}

/** A link refuses to replace what is there, which a rename does not. @throws LedgerError ledger_unwritable */
export function putInPlace(building: string, path: string): boolean {
  refuseLeftLog(path)
  try {
    linkSync(building, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error
  }
  try {
    copyFileSync(building, path, constants.COPYFILE_EXCL) // file systems without hard links
    sync(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * SQLite would take the log that a killed writer left for that of the new file, and mix two ledgers. The log is looked
 * for before the file: who was first and has it open has one of its own.
 */
function refuseLeftLog(path: string): void {
  const isLeft = (log: string) => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0
  const left = [`${path}-wal`, `${path}-journal`].find(isLeft)
  if (left === undefined || existsSync(path)) return
  throw new LedgerError(
    'ledger_unwritable',
    `${path} is not there, but ${left} is: it holds commits of a ledger that was moved or deleted without it`,
    { path: left, hint: 'Put the two together again, or move this one away too; then run it again.' },
  )
}

function makeDirectory(directory: string): void {
  try {
    if (statSync(directory, { throwIfNoEntry: false })) return
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw cannotCreate(directory, error)
  }
}

function cannotCreate(path: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === '' || error instanceof LedgerError) return error
  return new LedgerError('ledger_unwritable', `${path} cannot be created (${code})`, { path, cause: error })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
