import { ownRecord } from '../core/exporting/lines-schema.js'
import type { ImportedOperation, ImportedRecord, ImportWarning } from '../core/imported.js'
import type { JsonValue } from '../core/json.js'
import { plainTask } from './plain-task.js'

// A module of its own: only a file in our own shape needs it, and validators cost start-up time.

/**
 * Records in our own shape, as `agent-ledger export` writes them and docs/sources/jsonl.md describes them: a task stands
 * before what belongs to it, and an operation once. `tasks`: those that were yielded already.
 */
export function createOwnRecords(tasks: Set<string> = new Set()) {
  const operations = new Set<string>()

  return function* take(value: JsonValue | undefined, where: string): Generator<ImportedRecord> {
    const { success, data, error } = ownRecord.safeParse(value)
    if (!success) {
      const [issue] = error.issues
      const field = issue?.path.map(String).join('.') || 'the record'
      yield warned('unfit_record', `${field}: ${issue?.message ?? 'does not fit'}`, where)
      return
    }
    // the schema's types are those of the records but for `undefined` in what is left out
    const record: ImportedRecord = JSON.parse(JSON.stringify(data))
    if (record.record === 'warning') {
      yield record
      return
    }
    if (record.record === 'task') {
      tasks.add(record.task_id)
      yield record
      return
    }
    if (!tasks.has(record.task_id)) {
      tasks.add(record.task_id)
      yield plainTask(record.task_id)
    }
    if (record.record !== 'operation') yield record
    else if (operations.has(record.operation_id))
      yield warned('repeated_record', `${record.operation_id} stands there twice`, where)
    else {
      operations.add(record.operation_id)
      yield withSoundTimes(record)
    }
  }
}

// An end before its beginning is a clock that was set: the end is left out.
function withSoundTimes(operation: ImportedOperation): ImportedOperation {
  const isSound = ({ sent_at, ended_at }: ImportedOperation['attempts'][number]) =>
    sent_at === null || ended_at === null || ended_at >= sent_at
  if (operation.attempts.every(isSound)) return operation
  const attempts = operation.attempts.map(one => (isSound(one) ? one : { ...one, ended_at: null }))
  return { ...operation, attempts }
}

function warned(code: string, message: string, where: string): ImportWarning {
  return { record: 'warning', code, message, where }
}
