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
      const { threadId } = options
      const wanted = threadId === undefined || source.read ? records : ofTask(records, threadId)
      const staged = await stage(wanted, options)
      if (file.isStillCurrent() && (threadId === undefined || staged.tasks > 0))
        return { ...staged, source: source.id, title: source.title, why }
      staged.discard()
      if (threadId !== undefined && staged.tasks === 0) throw noSuchThread(path, threadId)
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
