import { createHash } from 'node:crypto'
import { EXPORT_SCHEMA, type ExportHead, operationLine, taskLine } from '../core/exporting/lines.js'
import type { ImportedOperation, ImportedTask } from '../core/imported.js'
import type { Engine, Sql } from './engine.js'
import { type Choosing, type Chosen, chosenPages } from './prune.js'
import type { Redaction } from './redaction.js'
import { evidenceOfOperation } from './sql-store/evidence.js'
import { readStored } from './sql-store/operations.js'
import { readTask } from './sql-store/tasks.js'
import { operationBundle } from './sql-store/verify-reads.js'
import type { EventLink, StoredLink } from './verify/links.js'

/** The first line of an archive: that of an export, with what was asked. */
export interface ArchiveHead extends ExportHead {
  readonly archive: { readonly settled_before: number }
}

/** The last line: that of an export, with a digest over all lines before it. */
export interface ArchiveEnd {
  readonly record: 'end'
  readonly records: number
  readonly archive: { readonly operations: number; readonly events: number; readonly digest: string }
}

/** An operation as an export has it, with its chains as they were stored, so that the archive can be verified by itself. */
export interface ArchivedOperation extends ImportedOperation {
  readonly archive: {
    readonly events: readonly ChainedLine[]
    readonly evidence: readonly ChainedLine[]
    readonly redactions: readonly Redaction[]
  }
}

/** A link of a chain with the exact text that was hashed; the hash is hex. */
export type ChainedLine = Omit<StoredLink, 'hash' | 'event'> &
  Partial<Pick<EventLink, 'event'>> & { readonly hash: string }

export type ArchiveLine = ArchiveHead | ImportedTask | ArchivedOperation | ArchiveEnd

export interface Archiving extends Choosing {
  readonly ledger_id: string
  readonly program: string
}

/**
 * The lines of an archive, each as its text, in constant memory but for the ids of its tasks; and at the end what stays in
 * the ledger. Each operation is one snapshot.
 */
export async function* archiveLines(
  engine: Pick<Engine, 'read'>,
  { ledger_id, program, settledBefore, now }: Archiving,
): AsyncGenerator<string, Chosen> {
  const hash = createHash('sha256')
  const line = (value: ArchiveLine): string => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  yield line({
    schema: EXPORT_SCHEMA,
    ledger_id,
    exported_at: now,
    program,
    masked: false,
    task_id: null,
    archive: { settled_before: settledBefore },
  })
  const tasks = new Set<string>()
  let [operations, events] = [0, 0]
  const pages = chosenPages(engine, { settledBefore, now })
  for (;;) {
    const page = await pages.next()
    if (page.done === true) {
      const digest = `sha256:${hash.copy().digest('hex')}`
      const records = operations + tasks.size
      yield line({ record: 'end', records, archive: { operations, events, digest } })
      return page.value
    }
    for (const id of page.value) {
      const whole = await engine.read(() => wholeOperation(ledger_id, id))
      if (whole === null) continue
      if (!tasks.has(whole.operation.task_id)) yield line(whole.task)
      tasks.add(whole.operation.task_id)
      yield line(whole.operation)
      operations++
      events += whole.operation.archive.events.length
    }
  }
}

interface Whole {
  readonly task: ImportedTask
  readonly operation: ArchivedOperation
}

function* wholeOperation(ledger_id: string, id: string): Sql<Whole | null> {
  const stored = yield* readStored(id)
  const bundle = yield* operationBundle(id)
  if (stored === null || bundle === null) return null
  const task = yield* readTask(stored.operation.task_id)
  if (task === null) throw new Error(`task ${stored.operation.task_id} of ${id} is not there`)
  const { operation, attempts, external_ids, events, redactions } = bundle
  const evidence = yield* evidenceOfOperation(id)
  return {
    task: taskLine(task),
    operation: {
      ...operationLine(ledger_id, { operation, attempts, evidence, external_ids }),
      archive: { events: events.map(chained), evidence: bundle.evidence.map(chained), redactions },
    },
  }
}

function chained({ hash, ...link }: StoredLink): ChainedLine {
  return { ...link, hash: hash.toString('hex') }
}
