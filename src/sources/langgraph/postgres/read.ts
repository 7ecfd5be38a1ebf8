import type { CheckpointWarning } from '../../../core/checkpoint.js'
import type { ThreadRows } from '../rows.js'
import { warning } from '../warnings.js'
import { parseAddress } from './address.js'
import { openMoment } from './connect.js'
import { hasThread, threadIds } from './fetch.js'
import { findTables, type PostgresTables } from './tables.js'
import { withThreadRows } from './thread-rows.js'

/** The threads of a saver on a server, each read in the same moment of the database. */
export interface PostgresThreads {
  /** all threads, in the order of their ids */
  ids(): Promise<readonly string[]>
  /** undefined where there is no such thread */
  read<T>(threadId: string, work: (rows: ThreadRows) => T): Promise<T | undefined>
  /** what the server makes a person stumble over, the same for every thread */
  readonly warnings: readonly CheckpointWarning[]
  close(): Promise<void>
}

export interface PostgresReading {
  /** values of the state, and all writes of a thread at once */
  readonly isWhole: boolean
}

/** The threads at a `postgresql://` address. Throws `ledger_unreadable`, its password masked. */
export async function openPostgresThreads(
  url: string,
  { isWhole }: PostgresReading,
): Promise<PostgresThreads> {
  const address = parseAddress(url)
  const { ask, close } = await openMoment(address)
  try {
    const tables = await findTables(address, ask)
    return {
      ids: () => threadIds(ask, tables),
      read: async (threadId, work) => {
        const fetching = { ask, tables, threadId, isWhole }
        // PostgreSQL has no text with a NUL, so no thread is named so.
        if (threadId.includes('\0') || !(await hasThread(fetching))) return undefined
        return withThreadRows(fetching, work)
      },
      warnings: warningsOf(tables),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function warningsOf({ isStandby, isShallow, othersConnected }: PostgresTables): CheckpointWarning[] {
  const found: CheckpointWarning[] = []
  if (isStandby)
    found.push(
      warning(
        'read_from_standby',
        'the server is a standby: the newest rows may not have arrived here yet; ask the primary before a decision',
      ),
    )
  if (isShallow)
    found.push(
      warning(
        'history_not_kept',
        'the saver keeps the newest checkpoint alone: forks, discarded work and steps in between cannot be seen',
      ),
    )
  if (othersConnected > 0)
    found.push(
      warning(
        'database_in_use',
        `${othersConnected} other connection${othersConnected === 1 ? ' is' : 's are'} open to the database: this is one moment’s view, and a task shown as not finished may be running right now`,
      ),
    )
  return found
}
