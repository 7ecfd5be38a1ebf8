import { LedgerError } from '../../core/errors.js'
import { ledgerCommand } from '../../core/shell-word.js'
import type { Task } from '../../core/task.js'
import type { OperationRecord, StoreReader } from '../../store/store.js'
import { unknownOperation, unknownTask } from '../unknown-id.js'

/** What an id led to. `note`: another id looks the same, or the one found is spelled otherwise. */
export interface Found<T> {
  readonly found: T
  readonly note: string | null
}

/**
 * The operation with this id, the only one whose id looks the same, or the only one that is known outside by this id: after
 * a replay another system calls it by a new one. @throws LedgerError not_found
 */
export async function findOperation(store: StoreReader, id: string): Promise<Found<OperationRecord>> {
  const found = (await findAlike(id, one => store.operation(one))) ?? (await knownOutsideAs(store, id))
  if (found === null) throw await unknownOperation(store, id)
  return found
}

/** Where several have the id, none is meant more than the other: they are named, and one of them has to be typed. */
async function knownOutsideAs(store: StoreReader, value: string): Promise<Found<OperationRecord> | null> {
  const now = { at: 0, boot_id: '', boot_ms: 0 }
  const { operations } = await store.operations({
    ...{ scope: 'all', sort: 'id', limit: MOST_NAMED, uncounted: true },
    ...{ external_id: value, now, goneOwners: [] },
  })
  const [first, ...others] = operations
  if (first === undefined) return null
  if (others.length > 0)
    throw new LedgerError(
      'not_found',
      `there is no operation ${value}; it is an external id of ${operations.map(one => one.operation_id).join(', ')}`,
      { id: value, hint: `See them with \`${ledgerCommand('list', ['--all', `--external-id=${value}`])}\`.` },
    )
  const record = await store.operation(first.operation_id)
  const kind = record?.external_ids.find(one => one.value === value)?.kind ?? 'external'
  return record === null
    ? null
    : { found: record, note: `${value} is the ${kind} id of ${first.operation_id}: this is that operation` }
}

/** Operations with one external id that an error names. */
const MOST_NAMED = 5

/** The task with this id, or the only one whose id looks the same. @throws LedgerError not_found */
export async function findTask(store: StoreReader, id: string): Promise<Found<Task>> {
  const found = await findAlike(id, one => store.task(one))
  if (found === null) throw await unknownTask(store, id)
  return found
}

/**
 * What was asked, with the task as it is spelled. A mistyped task would show nothing, and read like the all-clear.
 * @throws LedgerError not_found
 */
export async function ofKnownTask<Asked extends { readonly taskId?: string }>(
  store: StoreReader,
  asked: Asked,
): Promise<Asked> {
  if (asked.taskId === undefined) return asked
  return { ...asked, taskId: (await findTask(store, asked.taskId)).found.task_id }
}

const ASCII = /^[\x20-\x7e]*$/

/**
 * `é` can be one character or two (Unicode normal forms), and a keyboard does not say which. Ids are kept as they were
 * given and never rewritten; so what was typed is looked for in both forms.
 */
async function findAlike<T>(id: string, read: (id: string) => Promise<T | null>): Promise<Found<T> | null> {
  const exact = await read(id)
  if (ASCII.test(id)) return exact === null ? null : { found: exact, note: null }
  const others = [...new Set(['NFC', 'NFD'].map(form => id.normalize(form)))].filter(one => one !== id)
  const alike: T[] = []
  for (const one of others) {
    const found = await read(one)
    if (found !== null) alike.push(found)
  }
  if (exact !== null)
    return {
      found: exact,
      note:
        alike.length === 0 ? null : `another id looks the same as ${id}; this is the one exactly as typed`,
    }
  const [only, ...more] = alike
  if (only === undefined) return null
  if (more.length > 0)
    throw new LedgerError('not_found', `there is no ${id} exactly as typed, and two ids look the same`, {
      id,
      hint: 'Copy the id from a list: it must be the same characters.',
    })
  return {
    found: only,
    note: `found an id that looks the same as ${id} and is spelled with other characters`,
  }
}
