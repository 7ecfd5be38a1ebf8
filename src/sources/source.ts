import type { CheckpointDocument } from '../core/checkpoint.js'
import type { ImportedRecord } from '../core/imported.js'
import type { SourceFile } from './source-file.js'

/**
 * Another system whose records can be read. A new one is a folder with this object in it, and a line in index.ts.
 * It has `read` where its records say what a resume would do, `records` where they tell of outside writes.
 */
export interface Source {
  /** as it stands in `checkpoint@1`, in a task's thread, and in `import <source>` */
  readonly id: string
  readonly title: string
  /** other names under which `import` and `--source` find it */
  readonly alsoNamed?: readonly string[]
  /** Looks at the content, never at the name. Throws `ledger_unreadable` only where the path cannot be read at all. */
  detect(file: SourceFile): Detection
  /** Throws `ledger_unreadable`, or `not_found` for a thread that is not there. */
  read?(file: SourceFile, options: ReadOptions): Promise<CheckpointReading>
  /**
   * What stands in it, in the words of this project, as a stream in constant memory. What cannot be read is skipped
   * and yielded as a warning. Throws `ledger_unreadable` where nothing can be read.
   */
  records?(file: SourceFile, options: ReadOptions): AsyncIterable<ImportedRecord>
}

export interface Detection {
  readonly matches: boolean
  /** its own mark stands in it, so that no other source is meant although one may fit */
  readonly isCertain?: boolean
  /** what was found, or what is missing, to put after the path */
  readonly why: string
}

export interface ReadOptions {
  /** read this thread alone: the others cost neither time nor memory */
  readonly threadId?: string
  /** names of nodes known from elsewhere, tried where the store holds only a digest of the name */
  readonly nodeNames?: readonly string[]
  /** milliseconds since 1970 UTC, where what a record means depends on the time: a lease, a timeout */
  readonly now?: number
  /** a person says that the workers of the other system are stopped: what is in flight there is unknown */
  readonly assumeWorkersStopped?: boolean
}

export interface CheckpointReading {
  readonly document: CheckpointDocument
  /** for each thread the ids of all tasks that have left any row: work under another id is invisible to the framework */
  readonly taskIds: ReadonlyMap<string, ReadonlySet<string>>
}
