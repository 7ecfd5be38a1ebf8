import type { ImportedPhase, ImportedRecord, ImportedTask } from '../../core/imported.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { TASK_STATUSES, type TaskStatus } from '../../core/task.js'
import { foreignTime } from '../foreign-time.js'
import { objectOf } from '../json-parts.js'
import { recordId, shortDigest } from '../record-id.js'
import { locatedValues } from '../text-file/located-values.js'
import { field, idField, textField, unknownFields } from './fields.js'
import { createOperation } from './operation.js'
import type { OwnRecordRead } from './own-schema.js'
import { operationIdIn, shapeOf } from './shape.js'
import { wordRule } from './status-words.js'
import { warned } from './warnings.js'

/**
 * All records of a file. It is read twice: first for how many lines each operation has, so that an operation can be given
 * as soon as its last line was read, and only those between their first and last line are held.
 */
export async function* recordsOf(path: string): AsyncGenerator<ImportedRecord> {
  const survey = await surveyOf(path)
  const { readOwnRecord } = await import('./own-schema.js')
  const reading = createReading(survey, readOwnRecord)
  for await (const found of locatedValues(path)) {
    if (found.kind === 'skipped') {
      const code = found.code === 'torn_end' ? 'torn_end' : 'not_json'
      yield warned(code, found.message, found.where)
      continue
    }
    const record = objectOf(found.value)
    if (record === null) yield warned('not_json', 'a line is no JSON object', found.where)
    else yield* reading.take(record, found.where)
  }
  yield* reading.end()
}

interface Survey {
  /** stands for the file where its lines name no task */
  readonly id: string
  /** id → lines that tell of the operation */
  readonly lines: ReadonlyMap<string, number>
  /** a later id → the first one of the same operation */
  readonly first: ReadonlyMap<string, string>
}

async function surveyOf(path: string): Promise<Survey> {
  const lines = new Map<string, number>()
  const first = new Map<string, string>()
  let id: string | null = null
  for await (const found of locatedValues(path)) {
    const record = found.kind === 'value' ? objectOf(found.value) : null
    if (record === null) continue
    id ??= shortDigest(JSON.stringify(record))
    const own = shapeOf(record) === 'operation' ? operationIdIn(record) : null
    if (own === null) continue
    const before = idField(record, 'replayOf')
    if (before !== null && before !== own && !first.has(own)) first.set(own, first.get(before) ?? before)
    const logical = first.get(own) ?? own
    lines.set(logical, (lines.get(logical) ?? 0) + 1)
  }
  return { id: id ?? 'empty', lines, first }
}

function createReading({ id, lines, first }: Survey, readOwn: (value: JsonValue) => OwnRecordRead) {
  const tasks = new Set<string>()
  const ownIds = new Set<string>()
  const operations = new Map<string, { readonly one: ReturnType<typeof createOperation>; left: number }>()
  const strange = new Map<string, { count: number; where: string }>()
  let hasZoneWarning = false

  function* take(record: JsonObject, where: string): Generator<ImportedRecord> {
    const shape = shapeOf(record)
    if (shape === null) {
      yield warned('not_a_record', 'a line tells of no operation, phase or task', where)
      return
    }
    if (shape === 'own') {
      yield* own(record, where)
      return
    }
    for (const name of shape === 'task' ? [] : unknownFields(record)) {
      const known = strange.get(name)
      if (known === undefined) strange.set(name, { count: 1, where })
      else known.count += 1
    }
    if (!hasZoneWarning && foreignTime(field(record, 'at'))?.hasZone === false) {
      hasZoneWarning = true
      yield warned('times_without_zone', 'its times name no zone and are read as UTC', where)
    }
    const taskId = recordId('jsonl', idField(record, 'task') ?? id)
    if (shape === 'task') {
      tasks.add(taskId)
      yield looseTask(record, taskId)
      return
    }
    if (!tasks.has(taskId)) {
      tasks.add(taskId)
      yield plainTask(taskId)
    }
    if (shape === 'phase') yield phaseOf(record, taskId)
    else yield* operation(record, taskId, where)
  }

  function isNew(operationId: string): boolean {
    const before = ownIds.size
    return ownIds.add(operationId).size > before
  }

  function* own(record: JsonObject, where: string): Generator<ImportedRecord> {
    const read = readOwn(record)
    if (read.problem !== undefined) yield warned('unfit_record', read.problem, where)
    else {
      const taskId = read.record.record === 'warning' ? null : read.record.task_id
      if (read.record.record !== 'task' && taskId !== null && !tasks.has(taskId)) yield plainTask(taskId)
      if (taskId !== null) tasks.add(taskId)
      if (read.record.record === 'operation' && !isNew(read.record.operation_id))
        yield warned('repeated_record', `${read.record.operation_id} stands there twice`, where)
      else yield read.record
    }
  }

  function* operation(record: JsonObject, taskId: string, where: string): Generator<ImportedRecord> {
    const ownId = operationIdIn(record) ?? ''
    const logical = first.get(ownId) ?? ownId
    const status = textField(record, 'status') ?? ''
    if (wordRule(status) === undefined)
      yield warned('unknown_status', `the status "${status}" of ${ownId} is not known`, where)
    const open = operations.get(logical) ?? {
      one: createOperation(logical, taskId),
      left: lines.get(logical) ?? 1,
    }
    open.one.take(record, ownId)
    open.left -= 1
    if (open.left > 0) operations.set(logical, open)
    else {
      operations.delete(logical)
      yield open.one.operation()
    }
  }

  return {
    take,
    *end(): Generator<ImportedRecord> {
      // Only where the file has shrunk since it was read first.
      for (const { one } of operations.values()) yield one.operation()
      for (const [name, { count, where }] of strange)
        yield warned('unknown_field', `the field ${name} of ${count} lines means nothing here`, where)
    },
  }
}

function plainTask(task_id: string): ImportedTask {
  return {
    record: 'task',
    task_id,
    parent_task_id: null,
    goal: null,
    status: 'running',
    status_reason: null,
    agent: null,
    thread: null,
    workspace: null,
    labels: {},
    deadline_at: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    created_at: null,
    closed_at: null,
  }
}

function looseTask(record: JsonObject, taskId: string): ImportedTask {
  const word = textField(record, 'status') ?? ''
  const labels = unknownFields(record).flatMap(name => {
    const value: JsonValue | undefined = record[name]
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : []
  })
  return {
    ...plainTask(taskId),
    goal: textField(record, 'goal'),
    status: taskStatusOf(word),
    status_reason: word,
    agent: idField(record, 'owner'),
    labels: Object.fromEntries(labels),
    heartbeat_at: foreignTime(field(record, 'heartbeat'))?.at ?? null,
    activity_at: foreignTime(field(record, 'at'))?.at ?? null,
    created_at: foreignTime(field(record, 'startedAt'))?.at ?? null,
  }
}

function taskStatusOf(word: string): TaskStatus {
  const own = TASK_STATUSES.find(status => status === word)
  if (own !== undefined) return own
  const rule = wordRule(word)
  if (rule?.status === 'confirmed') return 'completed'
  if (rule?.id === 'jsonl.cancelled') return 'cancelled'
  return rule?.id === 'jsonl.failed' ? 'failed' : 'running'
}

function phaseOf(record: JsonObject, taskId: string): ImportedPhase {
  return {
    record: 'phase',
    task_id: taskId,
    name: textField(record, 'phase') ?? '',
    input_revision: idField(record, 'revision'),
    status: textField(record, 'status') ?? '',
    artifact: textField(record, 'artifact'),
    artifact_digest: textField(record, 'artifactDigest'),
    at: foreignTime(field(record, 'at'))?.at ?? null,
  }
}
