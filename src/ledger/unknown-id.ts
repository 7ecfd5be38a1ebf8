import { LedgerError } from '../core/errors.js'
import { ledgerCommand, shellWord } from '../core/shell-word.js'
import type { StoreReader } from '../store/store.js'

/** The error for an operation id that is not in the ledger, with ids near it. */
export async function unknownOperation(store: StoreReader, id: string): Promise<LedgerError> {
  const task = await store.task(id)
  if (task !== null)
    return new LedgerError('not_found', `there is no operation ${id}; it is a task`, {
      id,
      hint: `See its operations with \`${ledgerCommand('list', ['--task', id])}\`.`,
    })
  return notFound(store, { id, what: 'operation' })
}

/** The error for a task id that is not in the ledger, with ids near it. */
export async function unknownTask(store: StoreReader, id: string): Promise<LedgerError> {
  const record = await store.operation(id)
  if (record !== null)
    return new LedgerError(
      'not_found',
      `there is no task ${id}; it is an operation of ${record.task.task_id}`,
      {
        id,
        hint: `Name its task: ${record.task.task_id}.`,
      },
    )
  return notFound(store, { id, what: 'task' })
}

/** The error for an id that is neither. */
export function unknownSubject(store: StoreReader, id: string): Promise<LedgerError> {
  return notFound(store, { id, what: 'operation or task' })
}

async function notFound(
  store: StoreReader,
  { id, what }: { readonly id: string; readonly what: string },
): Promise<LedgerError> {
  const archived = await store.archived(id)
  if (archived !== null) {
    const file = archived.archive ?? 'an archive'
    return new LedgerError(
      'not_found',
      `operation ${id} was archived as ${archived.status}: its record is in ${file}`,
      {
        id,
        hint: `Read it there: agent-ledger show ${shellWord(id)} ${shellWord(`--from=${file}`)}`,
      },
    )
  }
  const near = await store.near(id)
  const maybe = near.length === 0 ? '' : ` (did you mean ${near.join(' or ')}?)`
  return new LedgerError('not_found', `there is no ${what} ${id}${maybe}`, {
    id,
    ...(near.length === 0 ? {} : { facts: { near } }),
  })
}
