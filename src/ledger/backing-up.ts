import { parseLocation, sqliteOnly } from '../store/location.js'
import { backupLedger } from '../store/sqlite/backup.js'
import type { Verified } from '../store/verify.js'

export interface BackupOptions {
  /** where the copy goes; must not be there */
  readonly output: string
  readonly onProgress?: (done: number, pages: number) => void
  readonly signal?: AbortSignal
}

const DEFAULT_WAIT_MS = 10_000

/**
 * A copy of a ledger that may be written to meanwhile, checked whole before it is put in place. Opened to be written, the
 * copy is a new incarnation: what was prepared waits for a person, since the original may have sent it.
 * @throws LedgerError invalid_input, ledger_damaged, and as openLedgerForReading
 */
export function backup(location: string, { output, ...rest }: BackupOptions): Promise<Verified> {
  const { path } = sqliteOnly(parseLocation(location))
  return backupLedger({ path, output, waitMs: DEFAULT_WAIT_MS, ...rest })
}
