import {
  EXPORT_SCHEMA,
  type ExportEnd,
  type ExportHead,
  noteLine,
  operationLine,
  phaseLine,
  taskLine,
} from '../core/exporting/lines.js'
import type { ImportedRecord } from '../core/imported.js'
import type { Engine, Sql } from './engine.js'
import {
  exportNotes,
  exportOperations,
  exportPhases,
  exportTasks,
  type Page,
  type PageAsked,
} from './sql-store/export-reads.js'

export interface Exporting {
  readonly ledger_id: string
  readonly exported_at: number
  readonly program: string
  readonly masked: boolean
  /** null: the whole ledger */
  readonly task_id: string | null
}

export type ExportLine = ExportHead | ImportedRecord | ExportEnd

const PAGE = 200

/**
 * A ledger as lines, in constant memory. Each page is one snapshot: of a ledger that is written meanwhile each operation
 * is whole, and the file is no one moment of all of them.
 */
export async function* exportLines(engine: Engine, asked: Exporting): AsyncGenerator<ExportLine> {
  const { task_id } = asked
  yield { schema: EXPORT_SCHEMA, ...asked }
  let records = 0
  for await (const task of pages(engine, task_id, exportTasks)) {
    yield taskLine(task)
    records += 1
    for (const phase of await engine.read(() => exportPhases(task.task_id))) {
      yield phaseLine(phase)
      records += 1
    }
  }
  for await (const parts of pages(engine, task_id, exportOperations)) {
    yield operationLine(asked.ledger_id, parts)
    records += 1
  }
  for await (const note of pages(engine, task_id, exportNotes)) {
    yield noteLine(note)
    records += 1
  }
  yield { record: 'end', records }
}

async function* pages<T>(
  engine: Engine,
  task_id: string | null,
  page: (asked: PageAsked) => Sql<Page<T>>,
): AsyncGenerator<T> {
  for (let after: number | null = 0; after !== null; ) {
    const from: number = after
    const { items, next }: Page<T> = await engine.read(() => page({ task_id, after: from, limit: PAGE }))
    yield* items
    after = next
  }
}
