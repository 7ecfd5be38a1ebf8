import { existsSync, realpathSync } from 'node:fs'
import type { LedgerConfig } from '../config/config.js'
import { LedgerError } from '../core/errors.js'
import { type CountedWarning, type ImportCounts, warningCounter } from '../core/importing/counts.js'
import type { Declared } from '../core/importing/their-record.js'
import { isRemote } from '../core/shown-url.js'
import { stageRecords } from '../sources/records.js'
import { byOf, type Session } from './session.js'

export interface ImportOptions {
  /** id of the source; by default the content decides */
  readonly source?: string
  /** only what stands there of this thread; of a system without threads, of this task */
  readonly threadId?: string
  /** finds out what would be done, and does nothing */
  readonly dryRun?: boolean
  /** a person says that the workers of the other system are stopped: what is in flight there is unknown */
  readonly assumeWorkersStopped?: boolean
  /** gives it up: nothing is stored, and it throws `declined` */
  readonly signal?: AbortSignal
  /** told how many records were read, then how many stored */
  readonly onProgress?: (progress: {
    readonly doing: 'reading' | 'storing'
    readonly records: number
  }) => void
  /** where temporary files may be put; the system's temporary folder unless given */
  readonly scratchDir?: string
}

/** What became of one input. All of it is stored, or nothing. */
export interface ImportedFrom {
  readonly path: string
  readonly source: string
  /** what the source was known by, to put after the path */
  readonly why: string
  /** records read */
  readonly records: number
  readonly counts: ImportCounts
  readonly warnings: readonly CountedWarning[]
}

/**
 * Takes what another system wrote down into this ledger, in one commit. The same input again changes nothing.
 * @throws LedgerError ledger_unreadable, not_found for a thread that is not there, usage where several sources know it, invalid_input for no source, busy
 */
export async function importFrom(
  session: Session,
  path: string,
  options: ImportOptions = {},
): Promise<ImportedFrom> {
  const { store, clock, isOwnerGone, mask } = session
  const { source, threadId, scratchDir, onProgress, assumeWorkersStopped = false, dryRun = false } = options
  const stopping = options.signal === undefined ? {} : { signal: options.signal }
  const warnings = warningCounter()
  if (isSameFile(path, store.location))
    throw new LedgerError('usage', `${path} is the ledger in use: it cannot be taken into itself`, {
      path,
      hint: 'Name what another system wrote.',
    })
  const staged = await stageRecords(path, {
    now: clock().at,
    assumeWorkersStopped,
    ...(source === undefined ? {} : { source }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(scratchDir === undefined ? {} : { scratchDir }),
    ...stopping,
    onProgress: records => onProgress?.({ doing: 'reading', records }),
  })
  try {
    const counts = await store.importRecords({
      records: () => staged.read(),
      taking: { source: staged.source, mask, declared: tool => declaredOf(session.config, tool) },
      origin: path,
      workersStopped: assumeWorkersStopped,
      isDryRun: dryRun,
      ...stopping,
      by: byOf(session),
      isOwnerGone,
      onWarning: warning => warnings.add(warning),
      onProgress: records => onProgress?.({ doing: 'storing', records }),
    })
    const { records, why } = staged
    return { path, source: staged.source, why, records, counts, warnings: warnings.all() }
  } finally {
    staged.discard()
  }
}

function isSameFile(path: string, location: string): boolean {
  if (isRemote(path) || isRemote(location)) return false
  return existsSync(path) && existsSync(location) && realpathSync(path) === realpathSync(location)
}

/** What the configuration says of a tool, without the leave to send: the other system never asked for one. */
export function declaredOf(config: LedgerConfig, tool: string): Declared | null {
  const declared = config.tools[tool]
  if (declared === undefined) return null
  const { approval: _, ...contract } = declared.contract
  return { effect: declared.effect ?? null, repeat: declared.repeat ?? null, contract }
}
