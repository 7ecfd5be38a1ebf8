import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CountedWarning, warningCounter } from '../core/importing/counts.js'
import { createRedactor } from '../core/redact/redact.js'
import { shellWord } from '../core/shell-word.js'
import { shownUrl } from '../core/shown-url.js'
import { systemClock } from '../host.js'
import { isOwnLedger } from '../sources/own-ledger.js'
import { type StagedRecords, stageRecords } from '../sources/records.js'
import { createStore, openStore } from '../store/open.js'
import { VERSION } from '../version.js'
import { configGiven } from './config-given.js'
import { declaredOf } from './importing.js'
import { type LedgerForReading, openLedgerForReading, type ReadingOptions } from './open-for-reading.js'

export interface RecordsOptions extends ReadingOptions {
  /** id of the source; by default the content decides */
  readonly source?: string
  readonly onProgress?: (records: number) => void
  /** gives it up: then it throws `declined` */
  readonly signal?: AbortSignal
  /** only what stands there of this thread */
  readonly threadId?: string
  /** where temporary files may be put; the system's temporary folder unless given */
  readonly scratchDir?: string
}

/** What was read of another system. */
export interface RecordsRead {
  readonly source: string
  readonly title: string
  readonly why: string
  readonly records: number
  readonly warnings: readonly CountedWarning[]
}

export interface RecordsForReading {
  readonly ledger: LedgerForReading
  /** null for a ledger of this program, which is opened as it is */
  readonly read: RecordsRead | null
}

/**
 * Another system's records, to be looked at like a ledger: they are taken into one of their own, which lies in a private
 * folder and is gone with `close`. Nothing else is stored. A ledger of this program is opened as it is.
 * @throws LedgerError ledger_unreadable, usage where several sources know it, invalid_input for no source
 */
export async function openRecordsForReading(
  path: string,
  options: RecordsOptions = {},
): Promise<RecordsForReading> {
  const { source, threadId, scratchDir = tmpdir(), onProgress, signal, ...reading } = options
  const stopping = signal === undefined ? {} : { signal }
  if (source === undefined && isOwnLedger(path))
    return { ledger: await openLedgerForReading(path, reading), read: null }
  const { asOf } = reading
  const clock = asOf === undefined ? systemClock() : () => ({ at: asOf, boot_id: '', boot_ms: 0 })
  const staged = await stageRecords(path, {
    now: clock().at,
    scratchDir,
    ...(source === undefined ? {} : { source }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...stopping,
  })
  const folder = mkdtempSync(join(scratchDir, 'agent-ledger-'))
  const discard = () => rmSync(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'ledger.db')
    const warnings = await fill(file, staged, { path, clock, reading, stopping })
    const ledger = await openLedgerForReading(file, reading)
    const close = async () => {
      await ledger.close()
      discard()
    }
    const { title, why, records } = staged
    return {
      ledger: { ...ledger, location: path, report: reportFrom(path, ledger), close },
      read: { source: staged.source, title, why, records, warnings },
    }
  } catch (error) {
    discard()
    throw error
  } finally {
    staged.discard()
  }
}

const READING = /^agent-ledger (show|list|report|log|tasks|status)(?= |$)/

/** The next steps name commands: those that read must find the same records again. */
function reportFrom(path: string, ledger: LedgerForReading): LedgerForReading['report'] {
  return async taskId => {
    const { document, note } = await ledger.report(taskId)
    const next_steps = document.next_steps.map(step => ({
      ...step,
      command:
        step.command?.replace(READING, found => `${found} ${shellWord(`--from=${shownUrl(path)}`)}`) ?? null,
    }))
    return { document: { ...document, next_steps }, note }
  }
}

interface Filling {
  readonly path: string
  readonly clock: ReturnType<typeof systemClock>
  readonly reading: ReadingOptions
  readonly stopping: Pick<RecordsOptions, 'signal'>
}

async function fill(file: string, staged: StagedRecords, { path, clock, reading, stopping }: Filling) {
  const program = `agent-ledger ${VERSION}`
  createStore({ url: file, clock, program })
  const store = await openStore({ url: file, clock, program })
  const warnings = warningCounter()
  const config = await configGiven(reading.config)
  try {
    await store.importRecords({
      records: () => staged.read(),
      taking: {
        source: staged.source,
        mask: createRedactor(config.redact),
        declared: tool => declaredOf(config, tool),
      },
      origin: path,
      workersStopped: false,
      isDryRun: false,
      ...stopping,
      by: { actor: staged.source, clock },
      isOwnerGone: () => false,
      onWarning: warning => warnings.add(warning),
      onProgress: () => undefined,
    })
  } finally {
    await store.close()
  }
  return warnings.all()
}
