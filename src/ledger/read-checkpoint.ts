import { isLedgerError } from '../core/errors.js'
import { type CheckpointOptions, type CheckpointRead, checkpoint } from './looking/checkpoint.js'
import { openRecordsForReading, type RecordsOptions } from './records-for-reading.js'

export interface CheckpointAlone extends CheckpointRead {
  /** why what its own records tell of outside writes is not in the document; null where it is */
  readonly withoutRecords: string | null
}

/**
 * A checkpoint read without a ledger. What a resume would do twice is told by the store's own records, where they can be
 * read. @throws LedgerError ledger_unreadable, not_found, usage where several sources know it
 */
export async function readCheckpointAlone(
  path: string,
  options: CheckpointOptions,
  reading: RecordsOptions = {},
): Promise<CheckpointAlone> {
  const alone = await checkpoint(null, path, options)
  try {
    const { ledger } = await openRecordsForReading(path, { ...reading, ...options })
    try {
      return { ...(await ledger.checkpoint(path, options)), withoutRecords: null }
    } finally {
      await ledger.close()
    }
  } catch (error) {
    // The checkpoint was read: what stands beside it is no reason to show nothing.
    if (isLedgerError(error)) return { ...alone, withoutRecords: error.message }
    throw error
  }
}
