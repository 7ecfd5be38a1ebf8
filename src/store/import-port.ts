import type { ImportedRecord, ImportWarning } from '../core/imported.js'
import type { ImportCounts } from '../core/importing/counts.js'
import type { TakingIn } from '../core/importing/their-record.js'
import type { By } from './store.js'

/** One input of another system, to be stored in one commit: all of it or nothing. */
export interface Importing {
  /** from the beginning each time it is called: the commit may be tried again */
  readonly records: () => Iterable<ImportedRecord>
  readonly taking: Omit<TakingIn, 'now'>
  /** where it came from, for the record: a path */
  readonly origin: string
  /** a person says that the workers of the other system are stopped, and why they know */
  readonly workersStopped: boolean
  /** finds out what would be done and does nothing */
  readonly isDryRun: boolean
  readonly by: By
  readonly isOwnerGone: (owner: string) => boolean
  readonly onWarning: (warning: Pick<ImportWarning, 'code' | 'message' | 'where'>) => void
  /** gives it up: nothing of the input is stored */
  readonly signal?: AbortSignal
  /** called after each record */
  readonly onProgress: (records: number) => void
}

export type Imported = ImportCounts
