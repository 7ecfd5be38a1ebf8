import type { ImportedPhase, ImportedRecord, ImportedTask } from '../../core/imported.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import { TASK_STATUSES, type TaskStatus } from '../../core/task.js'
import { foreignTime } from '../foreign-time.js'
import { objectOf } from '../json-parts.js'
import { plainTask } from '../plain-task.js'
import { recordId, shortDigest } from '../record-id.js'
import { locatedValues } from '../text-file/located-values.js'
import { field, idField, textField, unknownFields, unreadableTimes } from './fields.js'
import { createOperation } from './operation.js'
import { operationIdIn, shapeOf } from './shape.js'
import { wordRule } from './status-words.js'
import { createTally } from './tally.js'
import { warned } from './warnings.js'

/**
 * All records of a file. It is read twice: first for how many lines each operation has, so that an operation can be given
 * as soon as its last line was read, and only those between their first and last line are held.
 */
export async function* recordsOf(path: string): AsyncGenerator<ImportedRecord> {
  const survey = await surveyOf(path)
  const { createOwnRecords } = await import('../own-records.js')
  const tasks = new Set<string>()
  const reading = createReading(survey, tasks, createOwnRecords(tasks))
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
  /**
   * digest of an id → lines that tell of the operation. Ids would fill the memory of a large file; where two share a digest,
   * both operations are held to the end, and nothing else changes.
   */
  readonly lines: ReadonlyMap<number, number>
  /** a later id → the first one of the same operation */
  readonly first: ReadonlyMap<string, string>
}

async function surveyOf(path: string): Promise<Survey> {
  const lines = new Map<number, number>()
  const first = new Map<string, string>()
  const count = (id: string, n: number) => lines.set(smallDigest(id), (lines.get(smallDigest(id)) ?? 0) + n)
  let id: string | null = null
  for await (const found of locatedValues(path)) {
    const record = found.kind === 'value' ? objectOf(found.value) : null
    if (record === null) continue
    id ??= shortDigest(JSON.stringify(record))
    const own = shapeOf(record) === 'operation' ? operationIdIn(record) : null
    if (own === null) continue
    const before = idField(record, 'replayOf')
    if (before !== null && before !== own && !first.has(own)) first.set(own, first.get(before) ?? before)
    count(own, 1)
  }
  // Only now is it known which ids are of one operation: a line may name an id before the one that says so.
  for (const [own, logical] of first) count(logical, lines.get(smallDigest(own)) ?? 0)
  return { id: id ?? 'empty', lines, first }
}

function createReading(
  { id, lines, first }: Survey,
  tasks: Set<string>,
  own: (value: JsonValue, where: string) => Generator<ImportedRecord>,
) {
  const operations = new Map<string, { readonly one: ReturnType<typeof createOperation>; left: number }>()
  const strange = createTally()
  const untimed = createTally()
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
    for (const name of shape === 'task' ? [] : unknownFields(record)) strange.add(name, where)
    for (const name of unreadableTimes(record)) untimed.add(name, where)
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

  function* operation(record: JsonObject, taskId: string, where: string): Generator<ImportedRecord> {
    const ownId = operationIdIn(record) ?? ''
    const logical = first.get(ownId) ?? ownId
    const status = textField(record, 'status') ?? ''
    if (wordRule(status) === undefined)
      yield warned('unknown_status', `the status "${status}" of ${ownId} is not known`, where)
    const open = operations.get(logical) ?? {
      one: createOperation(logical, taskId),
      left: lines.get(smallDigest(logical)) ?? 1,
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
      // Where two ids share a digest, or the file has shrunk since it was read first.
      for (const { one } of operations.values()) yield one.operation()
      for (const { name, count, where } of strange.all())
        yield warned('unknown_field', `the field ${name} of ${count} lines means nothing here`, where)
      for (const { name, count, where } of untimed.all())
        yield warned('unreadable_time', `the field ${name} of ${count} lines holds no time`, where)
    },
  }
}

/** FNV-1a in 30 bits, which a map keeps without a box. */
function smallDigest(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 30)) & 0x3fffffff
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
