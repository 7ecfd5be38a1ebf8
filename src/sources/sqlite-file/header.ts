import { closeSync, constants, openSync, readSync } from 'node:fs'
import { reasonOf, unreadable } from '../unreadable.js'
import { type LookedAt, sizeOf } from './look.js'

/** The first 100 bytes of a SQLite database (sqlite.org/fileformat2.html, section 1.3). */
export interface SqliteHeader {
  readonly pageSize: number
  /** the file was last written in WAL mode: its newest rows may lie in the `-wal` */
  readonly isWal: boolean
  readonly applicationId: number
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** Is this the beginning of a SQLite database? */
export function looksLikeSqlite(head: Buffer): boolean {
  return head.length >= MAGIC.length && head.toString('latin1', 0, MAGIC.length) === MAGIC
}

/** The first bytes of a plain file. Must not be called while this process has the file open in SQLite (see holders.ts). */
export function readHead(path: string, bytes = HEADER_BYTES): Buffer {
  let descriptor: number | undefined
  try {
    // O_NONBLOCK: should a pipe take the file's place between the look and here, this must not wait.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const head = Buffer.alloc(bytes)
    return head.subarray(0, readSync(descriptor, head, 0, bytes, 0))
  } catch (cause) {
    throw unreadable(path, `cannot be read (${reasonOf(cause)})`, 'Check the permissions of the file.', cause)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Throws `ledger_unreadable` for what is no SQLite database, or for a part of one only. */
export function readHeader({ path, stats }: LookedAt): SqliteHeader {
  const head = readHead(path)
  if (!looksLikeSqlite(head))
    throw unreadable(
      path,
      'is not a SQLite database',
      'Name the file that the SqliteSaver writes; an export or a dump is read by no source.',
    )
  if (head.length < HEADER_BYTES) throw truncated(path, stats.size)
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16)
  const [writeVersion, readVersion] = [head.readUInt8(18), head.readUInt8(19)]
  if (
    pageSize < 512 ||
    (pageSize & (pageSize - 1)) !== 0 ||
    !isVersion(writeVersion) ||
    !isVersion(readVersion)
  )
    throw unreadable(path, 'has a damaged header', 'Restore the file from a backup; nothing was changed.')
  requireWhole({ path, size: stats.size, pageSize, head })
  return {
    pageSize,
    isWal: writeVersion === 2 || readVersion === 2,
    applicationId: head.readUInt32BE(68),
  }
}

// While a -wal is there, the pages that the header counts may still lie in it alone.
function requireWhole(file: { path: string; size: number; pageSize: number; head: Buffer }): void {
  if (sizeOf(`${file.path}-wal`)) return
  const isCountValid = file.head.readUInt32BE(24) === file.head.readUInt32BE(92)
  const pages = file.head.readUInt32BE(28)
  const isShort = isCountValid && pages > 0 && file.size < pages * file.pageSize
  if (isShort || file.size % file.pageSize !== 0) throw truncated(file.path, file.size)
}

function truncated(path: string, size: number) {
  return unreadable(
    path,
    `is cut off: ${size} bytes are there, its header tells of more`,
    'Copy the file again, together with its -wal; nothing was changed.',
  )
}

function isVersion(byte: number): boolean {
  return byte === 1 || byte === 2
}
