import type { ImportedAction, ImportedOperation, ImportedRecord, ImportWarning } from '../../core/imported.js'
import type { OperationStatus } from '../../core/operation.js'
import type { ReadOptions } from '../source.js'
import type { SourceFile } from '../source-file.js'
import { callWarnings } from './call-warnings.js'
import { callsOf } from './calls.js'
import { inputFiles, stateOf } from './files.js'
import { taskIdOf, threadIdOf } from './identity.js'
import { requireSomething } from './nothing-read.js'
import { actionRecord, operationRecord } from './operation-record.js'
import { judge } from './outcome.js'
import { overviewOf } from './overview.js'
import { currentRunId, type Run } from './run.js'
import { runWarnings } from './run-warnings.js'
import { notesOf, taskRecord } from './task-record.js'
import { type TemporalWarning, warning } from './warnings.js'

/** Everything the histories tell of, the tasks first. Throws `ledger_unreadable` where nothing can be read. */
export async function* records(file: SourceFile, options: ReadOptions): AsyncGenerator<ImportedRecord> {
  const files = inputFiles(file)
  const before = stateOf(files)
  const overview = await overviewOf(files)
  requireSomething(file, overview)
  const isWanted = (run: Run) =>
    options.threadId === undefined ||
    options.threadId === threadIdOf(run) ||
    options.threadId === currentRunId(run)
  const runs = overview.runs.filter(isWanted)
  for (const group of groupsOf(runs).values()) yield taskRecord(newestOf(group), file.path)
  for (const found of overview.warnings) yield asRecord(found)
  for (const run of runs) {
    for (const found of runWarnings(run)) yield asRecord(found)
    yield* notesOf(run)
  }
  yield* callRecords(overview.runs, { isWanted, options, groups: groupsOf(runs), files })
  if (stateOf(files) !== before)
    yield asRecord(warning('changed_while_read', 'it was written to meanwhile', null))
}

interface Wanted {
  readonly isWanted: (run: Run) => boolean
  readonly options: ReadOptions
  readonly groups: ReadonlyMap<string, readonly Run[]>
  readonly files: ReturnType<typeof inputFiles>
}

interface Told {
  readonly operation: ImportedOperation
  readonly action: ImportedAction
}

/**
 * A run and what resets made of it repeat each other's calls; those are held until the end, and the more certain of two
 * records of one call is given: a reset writes a failure where the earlier run may have seen the end.
 */
async function* callRecords(
  runs: readonly Run[],
  { isWanted, options, groups, files }: Wanted,
): AsyncGenerator<ImportedRecord> {
  const held = new Map<string, Told>()
  for await (const { run, call } of callsOf(files, runs)) {
    if (!isWanted(run)) continue
    const outcome = judge(run, call, options)
    const told = { operation: operationRecord(run, call, outcome), action: actionRecord(run, call, outcome) }
    for (const found of callWarnings(run, call, outcome)) yield asRecord(found)
    if ((groups.get(taskIdOf(run))?.length ?? 1) === 1) {
      yield told.operation
      yield told.action
      continue
    }
    const earlier = held.get(told.operation.operation_id)
    if (earlier === undefined || certainty(told) > certainty(earlier))
      held.set(told.operation.operation_id, told)
  }
  for (const { operation, action } of held.values()) {
    yield operation
    yield action
  }
}

const CERTAINTY: Readonly<Partial<Record<OperationStatus, number>>> = {
  confirmed: 4,
  not_executed: 3,
  in_flight: 2,
  prepared: 1,
}

function certainty({ operation }: Told): number {
  return CERTAINTY[operation.status] ?? 0
}

export function groupsOf(runs: readonly Run[]): Map<string, Run[]> {
  const groups = new Map<string, Run[]>()
  for (const run of runs) {
    const id = taskIdOf(run)
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [run])
    else group.push(run)
  }
  return groups
}

/** The run that was written to last; of two alike the later in the file. */
export function newestOf(group: readonly Run[]): Run {
  const newest = group.reduce((a, b) => ((b.lastAt ?? 0) >= (a.lastAt ?? 0) ? b : a))
  return newest
}

export function asRecord({ code, message, where }: TemporalWarning): ImportWarning {
  return { record: 'warning', code, message, where }
}
