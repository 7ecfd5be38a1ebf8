import { isLedgerError } from '../core/errors.js'
import { createRedactor } from '../core/redact/redact.js'
import { isOwnerGone, systemClock } from '../host.js'
import { readCheckpointFully } from '../sources/index.js'
import { readRecords } from '../sources/records.js'
import type { CheckpointOptions, CheckpointRead } from './looking/checkpoint.js'
import { joinedToRecords } from './records-join.js'

export interface CheckpointAlone extends CheckpointRead {
  /** why what its own records tell of outside writes is not in the document; null where it is */
  readonly withoutRecords: string | null
}

interface AloneOptions extends CheckpointOptions {
  /** as of this moment, milliseconds since 1970 UTC; default: now */
  readonly asOf?: number
  /** where snapshots may be put; the system's temporary folder unless given */
  readonly scratchDir?: string
}

/**
 * A checkpoint read without a ledger. What a resume would do twice is told by the store's own records, where they can be
 * read; they pass by one after the other, for a log may be larger than memory.
 * @throws LedgerError ledger_unreadable, not_found, usage where several sources know it
 */
export async function readCheckpointAlone(
  path: string,
  { follow = false, asOf, ...options }: AloneOptions,
): Promise<CheckpointAlone> {
  const { document, taskIds, why } = await readCheckpointFully(path, options)
  const look =
    asOf === undefined
      ? { now: systemClock()(), isOwnerGone }
      : { now: { at: asOf, boot_id: '', boot_ms: 0 }, isOwnerGone: () => false }
  const joining = { path, document, taskIds, look, follow, mask: createRedactor() }
  try {
    const { found: threads } = await readRecords(
      path,
      { ...options, now: look.now.at },
      { read: records => joinedToRecords(records, joining), discard: () => undefined },
    )
    return { document: { ...document, threads }, why, joined: threads.length, withoutRecords: null }
  } catch (error) {
    // The checkpoint was read: what stands beside it is no reason to show nothing.
    if (isLedgerError(error)) return { document, why, joined: 0, withoutRecords: error.message }
    throw error
  }
}
