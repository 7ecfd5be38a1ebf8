import { isLedgerError } from '../core/errors.js'
import type { FileFacts, InsideFacts, Problem, ServerHealth } from '../core/health/facts.js'
import { pendingReceipts } from '../execute/spool.js'
import { stateFolder, systemClock } from '../host.js'
import { examineFile, examineInside } from '../store/examine.js'
import { spoolFolderOf } from '../store/spool-folder.js'
import { sqliteVersion } from '../store/sqlite/connection.js'

export { shownUrl as shownPlace } from '../store/location.js'

/** What can be found out about a ledger without writing anything, also where it cannot be opened. */
export interface Examined {
  readonly sqlite: string
  readonly file: FileFacts | null
  readonly inside: InsideFacts | null
  readonly server: ServerHealth | null
  readonly problem: Problem | null
  readonly receipts: number
}

interface ToExamine {
  /** null: there is none in use */
  readonly location: string | null
  /** the user who asks; null where the system has none */
  readonly uid: number | null
  readonly waitMs: number
}

/** Looks at a ledger and its file from all sides. What fails is a finding, not an error. */
export async function examineLedger({ location, uid, waitMs }: ToExamine): Promise<Examined> {
  const sqlite = sqliteVersion()
  if (location === null) return { sqlite, file: null, ...NOTHING, problem: null, receipts: 0 }
  const receipts = pendingReceipts(location).length
  try {
    const file = examineFile(location, uid)
    const looked = await lookInside(location, waitMs)
    return {
      sqlite,
      file,
      ...looked,
      receipts: looked.server === null ? receipts : receiptsOf(looked.inside),
    }
  } catch (error) {
    return { sqlite, file: null, ...NOTHING, problem: problemOf(error), receipts }
  }
}

/** Those of a ledger in PostgreSQL lie in a folder of this user's. */
function receiptsOf(inside: InsideFacts | null): number {
  if (inside === null) return 0
  return pendingReceipts('', spoolFolderOf(stateFolder(), inside.ledger_id)).length
}

const NOTHING = { inside: null, server: null } as const

async function lookInside(
  location: string,
  waitMs: number,
): Promise<Pick<Examined, 'inside' | 'server' | 'problem'>> {
  try {
    return { ...(await examineInside(location, { waitMs, clock: systemClock() })), problem: null }
  } catch (error) {
    return { ...NOTHING, problem: problemOf(error) }
  }
}

/** An error as a finding. What is none of ours is a bug and goes on. */
export function problemOf(error: unknown): Problem {
  if (!isLedgerError(error)) throw error
  const { code, message, hint, exitCode, facts = {} } = error
  const details = Object.entries(facts).flatMap(([name, fact]) =>
    [fact].flat().map(one => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`),
  )
  return { code, message: [message, ...details].join('; '), hint, exit_code: exitCode }
}
