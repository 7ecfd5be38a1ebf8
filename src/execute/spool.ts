import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { NewEvidence } from '../core/evidence.js'
import type { JsonValue } from '../core/json.js'
import type { ExternalId, LastError } from '../core/operation.js'
import type { Executor } from './executor.js'

// The receipt spool: outcomes that the ledger could not take in, one file each, in a directory beside it. The next
// open for writing takes them in as evidence. Files are whole or not there: written aside, fsynced, then renamed.

/** How an attempt ended, kept outside the ledger until it can be written. Field names as in the ledger. */
export interface Receipt {
  readonly v: 1
  readonly ledger_id: string
  readonly operation_id: string
  /** who sent it: names the attempt, also where its number was never learnt */
  readonly owner: string
  readonly end: 'applied' | 'not_applied' | 'ambiguous'
  readonly external_ids: readonly ExternalId[]
  readonly result: JsonValue
  readonly result_digest: string | null
  /** null for a receipt */
  readonly error: LastError | null
  readonly evidence: readonly NewEvidence[]
  /** when it ended, milliseconds since 1970 UTC */
  readonly at: number
}

/**
 * The spool of a ledger file, beside the file itself and not beside a link to it, so that all who open it find the
 * same one. A ledger that is no file names a folder; null where it names none.
 */
function spoolDirectory(location: string, folder: string | undefined): string | null {
  if (folder !== undefined) return folder
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(location)) return null
  try {
    // Resolving names opens nothing: SQLite's locks on the file stay as they are.
    return `${realpathSync(location)}.spool`
  } catch {
    return `${location}.spool`
  }
}

/** Files that wait in the spool, oldest first. For commands that only look: nothing is opened. */
export function pendingReceipts(location: string, folder?: string): readonly string[] {
  const directory = spoolDirectory(location, folder)
  if (directory === null) return []
  try {
    const names = readdirSync(directory).filter(name => name.endsWith(SUFFIX))
    return names.sort().map(name => join(directory, name))
  } catch {
    return []
  }
}

interface Spooling extends Pick<Executor, 'clock'> {
  readonly store: Pick<Executor['store'], 'location' | 'ledgerId' | 'spoolFolder'>
}

/** Keeps one receipt, durable when this returns; its path, or null where even that failed. */
export function spoolReceipt(
  { store, clock }: Spooling,
  receipt: Omit<Receipt, 'v' | 'ledger_id' | 'at'>,
): string | null {
  const directory = spoolDirectory(store.location, store.spoolFolder)
  if (directory === null) return null
  const { at } = clock()
  const whole: Receipt = { v: 1, ledger_id: store.ledgerId, ...receipt, at }
  const name = `${String(at).padStart(15, '0')}-${randomBytes(6).toString('hex')}`
  try {
    mkdirSync(directory, { mode: 0o700, recursive: true })
    return writeWhole(directory, name, JSON.stringify(whole))
  } catch {
    return null
  }
}

const SUFFIX = '.json'

function writeWhole(directory: string, name: string, text: string): string {
  const aside = join(directory, `${name}.tmp`)
  const path = join(directory, `${name}${SUFFIX}`)
  const file = openSync(aside, 'wx', 0o600)
  try {
    // Unlike writeSync it goes on after a short write, which is how a disk that fills up first shows.
    writeFileSync(file, text)
    fsyncSync(file)
  } catch (error) {
    unlinkSync(aside)
    throw error
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
  syncDirectory(directory)
  return path
}

/** A new name is durable once its directory is; file systems that cannot sync one need no such call. */
function syncDirectory(directory: string): void {
  const opened = openSync(directory, 'r')
  try {
    fsyncSync(opened)
  } catch {
    // EINVAL on some file systems
  } finally {
    closeSync(opened)
  }
}
