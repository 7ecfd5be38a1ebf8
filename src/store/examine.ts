import { realpathSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isLedgerError } from '../core/errors.js'
import type { FileFacts, InsideFacts, ServerHealth } from '../core/health/facts.js'
import type { Stamp } from '../core/time.js'
import { number } from './cells.js'
import { query, type Sql } from './engine.js'
import { filesystemType, refuseUnsafeFilesystem } from './filesystem.js'
import { parseLocation } from './location.js'
import { NEWEST_SCHEMA } from './migrations/schemas.js'
import { lastStamp } from './sql-store/clock.js'
import { type Meta, readMeta } from './sql-store/meta.js'
import { inspectFile } from './sqlite/header.js'
import { isLockedByOther } from './sqlite/lock-table.js'
import { homeOf } from './sqlite/new.js'
import { openForReading } from './sqlite/reading.js'

/** What the file system says of a ledger file; null where there is no file, or it is none. Opens nothing with SQLite. */
export function examineFile(url: string, uid: number | null): FileFacts | null {
  const location = parseLocation(url)
  if (location.engine !== 'sqlite') return null
  const file = statOf(location.path)
  if (file === undefined || !file.isFile()) return null
  const path = realpathSync(location.path) // what lies beside it lies beside the file, not beside a link to it
  const directory = dirname(path)
  const [wal, shm] = [statOf(`${path}-wal`), statOf(`${path}-shm`)]
  return {
    filesystem: { type: filesystemType(directory), unsafe: unsafeName(directory) },
    free_bytes: freeBytes(directory),
    bytes: file.size,
    mode: file.mode,
    directory_mode: statOf(directory)?.mode ?? 0,
    beside_modes: [wal, shm].filter(one => one !== undefined).map(one => one.mode),
    is_own: uid === null ? null : file.uid === uid,
    wal_bytes: wal?.size ?? 0,
    is_open: shm === undefined ? false : isLockedByOther([file.ino, shm.ino]),
    journal: journalOf(path),
  }
}

/** What a ledger says of itself, read without a trace. Throws as opening for reading does. */
export async function examineInside(
  url: string,
  { waitMs, clock }: { readonly waitMs: number; readonly clock: () => Stamp },
): Promise<{ readonly inside: InsideFacts | null; readonly server: ServerHealth | null }> {
  const location = parseLocation(url)
  if (location.engine === 'postgresql')
    return (await import('./postgres/examine.js')).examinePostgres(url, waitMs, clock)
  const { path } = location
  const engine = await openForReading({ path, waitMs })
  try {
    const read = await engine.read(insideOfFile)
    if (read === null) return { inside: null, server: null }
    const { meta, schema, last_commit } = read
    const inside = {
      ledger_id: meta.ledger_id,
      incarnation: meta.incarnation,
      is_home: meta.home === homeOf(statSync(path)),
      schema,
      newest_schema: NEWEST_SCHEMA,
      last_commit,
      damages: await engine.damages('quick'),
    }
    return { inside, server: null }
  } finally {
    await engine.close()
  }
}

function* insideOfFile(): Sql<{ meta: Meta; schema: number; last_commit: Stamp | null } | null> {
  const meta = yield* readMeta()
  if (meta === null) return null
  const [row] = yield* query('pragma user_version')
  return { meta, schema: row ? number(row, 'user_version') : 0, last_commit: yield* lastStamp() }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // a folder that may not be entered: opening the ledger says so
  }
}

function unsafeName(directory: string): string | null {
  try {
    refuseUnsafeFilesystem(directory)
    return null
  } catch (error) {
    if (!isLedgerError(error)) throw error
    return String(error.facts?.filesystem ?? 'an unsafe file system')
  }
}

function freeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return null
  }
}

function journalOf(path: string): FileFacts['journal'] {
  try {
    return inspectFile(path, NEWEST_SCHEMA).isWal ? 'wal' : 'rollback'
  } catch {
    return null // what is wrong with the header is told by the opening
  }
}
