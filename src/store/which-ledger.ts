import { LedgerError } from '../core/errors.js'
import type { Engine } from './engine.js'
import { type Mark, type Meta, readMeta } from './sql-store/meta.js'

/** How long an opening waits for another process's lock, where nobody says. */
export const DEFAULT_WAIT_MS = 10_000

/** What a ledger that was just opened says of itself. @throws LedgerError ledger_damaged, ledger_moved */
export async function whichLedger(engine: Engine, path: string): Promise<Meta> {
  const meta = await engine.read(readMeta)
  if (meta !== null && meta.moved !== null) throw movedError(meta.moved, path)
  if (meta) return meta
  throw new LedgerError('ledger_damaged', `${path} does not say which ledger it is (ledger_meta is empty)`, {
    path,
  })
}

function movedError(mark: Mark, path: string): LedgerError {
  if (mark.state === 'gone')
    return new LedgerError(
      'ledger_moved',
      `${path} was moved to ${mark.to}: nothing is written here any more`,
      {
        path,
        hint: 'Name the new place with --ledger, AGENT_LEDGER or the configuration. An unfinished move is gone on with by the same `agent-ledger migrate`.',
        facts: { to: mark.to },
      },
    )
  return new LedgerError('ledger_moved', `${path} is not whole yet: it is being filled from ${mark.from}`, {
    path,
    hint: 'Run the same `agent-ledger migrate` again: it goes on where it was.',
    facts: { from: mark.from, rows: mark.rows },
  })
}
