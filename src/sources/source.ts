import type { CheckpointDocument } from '../core/checkpoint.js'
import type { SourceFile } from './source-file.js'

/** A framework whose checkpoints can be read. A new one is a folder with this object in it, and a line in index.ts. */
export interface Source {
  /** as it stands in `checkpoint@1` and in a task's thread */
  readonly id: string
  readonly title: string
  /** Looks at the content, never at the name. Throws `ledger_unreadable` only where the path cannot be read at all. */
  detect(file: SourceFile): Detection
  /** Throws `ledger_unreadable`, or `not_found` for a thread that is not there. */
  read(file: SourceFile, options: ReadOptions): Promise<CheckpointReading>
}

export interface Detection {
  readonly matches: boolean
  /** what was found, or what is missing, to put after the path */
  readonly why: string
}

export interface ReadOptions {
  /** read this thread alone: the others cost neither time nor memory */
  readonly threadId?: string
  /** names of nodes known from elsewhere, tried where the store holds only a digest of the name */
  readonly nodeNames?: readonly string[]
}

export interface CheckpointReading {
  readonly document: CheckpointDocument
  /** for each thread the ids of all tasks that have left any row: work under another id is invisible to the framework */
  readonly taskIds: ReadonlyMap<string, ReadonlySet<string>>
}
