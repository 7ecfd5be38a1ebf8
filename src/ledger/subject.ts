import { LedgerError } from '../core/errors.js'
import type { Task } from '../core/task.js'
import type { OperationRecord, StoreReader, SubjectRef } from '../store/store.js'
import { unknownOperation, unknownSubject, unknownTask } from './unknown-id.js'

export type { SubjectRef }

/** An operation or a task that an id leads to. */
export type Subject =
  | {
      readonly kind: 'operation'
      readonly ref: SubjectRef
      readonly task: Task
      readonly record: OperationRecord
    }
  | { readonly kind: 'task'; readonly ref: SubjectRef; readonly task: Task }

/**
 * What an id means: an operation, or a task where `as` says so or no operation has it.
 * @throws LedgerError not_found, usage when both exist and nobody said which
 */
export async function subjectOf(store: StoreReader, id: string, as?: 'operation' | 'task'): Promise<Subject> {
  const record = as === 'task' ? null : await store.operation(id)
  const task = as === 'operation' ? null : await store.task(id)
  if (record !== null && task !== null)
    throw new LedgerError('usage', `${id} is an operation and a task`, {
      id,
      hint: 'Say which one is meant: --task for the task, --operation for the operation.',
    })
  if (record !== null) return { kind: 'operation', ref: { operation_id: id }, task: record.task, record }
  if (task !== null) return { kind: 'task', ref: { task_id: id }, task }
  if (as === 'operation') throw await unknownOperation(store, id)
  if (as === 'task') throw await unknownTask(store, id)
  throw await unknownSubject(store, id)
}
