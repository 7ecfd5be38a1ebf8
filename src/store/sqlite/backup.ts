import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LedgerError } from '../../core/errors.js'
import { sync } from '../sync.js'
import { type Verified, verify } from '../verify.js'
import { connectForReading } from './connection.js'
import { putInPlace } from './create.js'
import { explained } from './errors.js'
import { locate } from './place.js'
import { openForReading } from './reading.js'

export interface Backup {
  readonly path: string
  /** must not be there */
  readonly output: string
  readonly waitMs: number
  readonly onProgress?: (done: number, pages: number) => void
  /** gives the copy up */
  readonly signal?: AbortSignal
}

/**
 * Copies a ledger, live or not, to a file of its own (0600), checks the copy whole and puts it in place at the end: a
 * kill leaves nothing under the name. The original is only read. Throws `invalid_input` where something is there
 * already or cannot be written, `ledger_damaged` where the copy does not verify, and as openForReading does.
 */
export async function backupLedger(backup: Backup): Promise<Verified> {
  const { path, output, signal } = backup
  if (existsSync(output)) throw taken(output)
  const building = `${output}.new-${randomBytes(6).toString('hex')}`
  try {
    closeSync(openSync(building, 'wx', 0o600))
    await copyPages(backup, building)
    const found = await verified(building, backup.waitMs)
    const [first] = found.findings
    if (first !== undefined)
      throw new LedgerError('ledger_damaged', `the copy of ${path} does not verify: ${first.message}`, {
        path,
        hint: 'Nothing was written. See `agent-ledger verify` for all that does not fit.',
      })
    signal?.throwIfAborted()
    sync(building)
    if (!putInPlace(building, output)) throw taken(output)
    sync(dirname(output))
    return found
  } catch (error) {
    throw cannotWrite(output, error)
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(building + suffix, { force: true })
  }
}

async function copyPages({ path, onProgress, signal }: Backup, building: string): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const place = locate({ path, inPlace: attempts > 3 })
    if (place === 'changing') {
      await sleep(20) // longer than the coarsest clock tick by which a file system stamps a change
      continue
    }
    try {
      const database = connectForReading(place.file)
      try {
        await database.backup(building, {
          // All in one step: a writer in between would have it begin again, for ever where somebody always writes.
          progress: ({ totalPages, remainingPages }) => {
            onProgress?.(totalPages - remainingPages, totalPages)
            signal?.throwIfAborted()
            return 0x7fffffff
          },
        })
      } finally {
        database.close()
      }
      if (place.isUnchanged()) return
    } catch (error) {
      if (place.isUnchanged()) throw explained(error, { path, doing: 'reading' })
    } finally {
      place.release()
    }
  }
}

async function verified(path: string, waitMs: number): Promise<Verified> {
  const engine = await openForReading({ path, waitMs })
  try {
    return await verify(engine)
  } finally {
    await engine.close()
  }
}

function taken(output: string): LedgerError {
  return new LedgerError('invalid_input', `${output} is there already, and was left as it is`, {
    path: output,
    hint: 'Name a file that is not there.',
  })
}

function cannotWrite(output: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === '' || error instanceof LedgerError) return error
  return new LedgerError('invalid_input', `${output} cannot be written (${code})`, {
    path: output,
    hint:
      code === 'ENOENT'
        ? `There is no folder ${dirname(output)}: make it, or name a file in another one. The ledger was only read.`
        : 'Free space, or name a file in a folder that you may write. The ledger was only read.',
    cause: error,
  })
}
