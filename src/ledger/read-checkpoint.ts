import { type CheckpointOptions, type CheckpointRead, checkpoint } from './looking/checkpoint.js'

/** A checkpoint read without a ledger. @throws LedgerError ledger_unreadable, not_found */
export function readCheckpointAlone(path: string, options: CheckpointOptions): Promise<CheckpointRead> {
  return checkpoint(null, path, options)
}
