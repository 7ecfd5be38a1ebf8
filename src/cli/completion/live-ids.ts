import { isLedgerError } from '../../core/errors.js'
import type { LedgerForReading } from '../../ledger/open-for-reading.js'
import type { Deps } from '../deps.js'

interface Wanted {
  readonly kind: 'operation' | 'task'
  /** what the id begins with */
  readonly typed: string
}

/** Ids looked through at one TAB: what needs a person comes first, and a person types more when there are more. */
const MOST = 200

/** Ids of the ledger in use that begin with what was typed; none where no ledger can be read, since a TAB shows no error. */
export async function readIds(wanted: Wanted, deps: Deps): Promise<readonly string[]> {
  try {
    const ids = await deps.withLedgerForReading(ledger =>
      wanted.kind === 'task' ? taskIds(ledger) : operationIds(ledger),
    )
    return ids.filter(id => id.startsWith(wanted.typed))
  } catch (error) {
    if (isLedgerError(error)) return []
    throw error
  }
}

async function operationIds(ledger: LedgerForReading): Promise<string[]> {
  const { operations } = await ledger.list({ show: 'attention', limit: MOST })
  return operations.map(({ operation_id }) => operation_id)
}

async function taskIds(ledger: LedgerForReading): Promise<string[]> {
  const { tasks } = await ledger.tasks()
  return tasks.map(({ task_id }) => task_id)
}
