import { LedgerError } from '../core/errors.js'
import type { ImportedRecord } from '../core/imported.js'
import { ledgerCommand } from '../core/shell-word.js'
import { shownUrl } from '../core/shown-url.js'
import { chooseSource } from './choose.js'
import { SOURCES } from './index.js'
import type { ReadOptions } from './source.js'
import { openSourceFile } from './source-file.js'
import { type Staged, stage } from './stage.js'
import { unreadable } from './unreadable.js'

export interface RecordsOptions extends ReadOptions {
  /** the id of the source, where the caller knows it; else the content decides */
  readonly source?: string
  /** where snapshots and staged records may be put; the system's temporary folder unless given */
  readonly scratchDir?: string
  /** gives it up: then it throws `declined` */
  readonly signal?: AbortSignal
  /** called after each record that was read */
  readonly onProgress?: (records: number) => void
}

export interface StagedRecords extends Staged {
  /** id of the source */
  readonly source: string
  readonly title: string
  /** what was found, to put after the path */
  readonly why: string
}

/** Where a system has no threads, each of its tasks is one: `checkpoint` shows them so. */
async function* ofTask(
  records: AsyncIterable<ImportedRecord>,
  taskId: string,
): AsyncGenerator<ImportedRecord> {
  for await (const record of records)
    if (record.record === 'warning' || record.task_id === taskId) yield record
}

function noSuchThread(path: string, threadId: string): LedgerError {
  return new LedgerError('not_found', `${shownUrl(path)} has no thread ${threadId}`, {
    id: threadId,
    path: shownUrl(path),
    hint: `See which there are: ${ledgerCommand('checkpoint', [shownUrl(path)])}`,
  })
}

/**
 * Reads what another system wrote to its end, without changing anything there, and keeps its records in a private file
 * until `discard`. Throws `ledger_unreadable`, `usage` where several sources know it, `invalid_input` for no source.
 */
export async function stageRecords(path: string, options: RecordsOptions = {}): Promise<StagedRecords> {
  const { threadId } = options
  const { found, ...from } = await readRecords(path, options, {
    read: (records, hasThreads) =>
      stage(threadId === undefined || hasThreads ? records : ofTask(records, threadId), {
        ...options,
        path: shownUrl(path),
      }),
    discard: staged => staged.discard(),
  })
  if (threadId === undefined || found.tasks > 0) return { ...found, ...from }
  found.discard()
  throw noSuchThread(path, threadId)
}

interface Reading<T> {
  /** `hasThreads`: records of other threads than the one asked for are left out already */
  readonly read: (records: AsyncIterable<ImportedRecord>, hasThreads: boolean) => Promise<T>
  /** drops what was read of a file that changed meanwhile */
  readonly discard: (found: T) => void
}

type From = Pick<StagedRecords, 'source' | 'title' | 'why'>

/** The same, given to `read` as a stream and kept nowhere. Throws as `stageRecords` does. */
export async function readRecords<T>(
  path: string,
  options: RecordsOptions,
  { read, discard }: Reading<T>,
): Promise<From & { readonly found: T }> {
  // A writer that cannot be seen from here may have touched the file meanwhile: then it is read once more.
  for (let attempt = 0; attempt < 3; attempt++) {
    const file = openSourceFile(path, options)
    try {
      const { source, why } = chooseSource(file, {
        sources: SOURCES,
        wanted: options.source,
        need: 'records',
      })
      const records = source.records?.(file, options)
      if (records === undefined) throw new Error(`${source.id} was chosen for records it does not have`)
      const found = await read(records, source.read !== undefined)
      if (file.isStillCurrent()) return { found, source: source.id, title: source.title, why }
      discard(found)
    } finally {
      file.close()
    }
  }
  throw unreadable(
    path,
    'is being written to',
    'Try again in a moment, or stop its writer; nothing was changed.',
  )
}
