import { LedgerError } from '../core/errors.js'
import type { Engine } from './engine.js'
import { type Meta, readMeta } from './sql-store/meta.js'

/** How long an opening waits for another process's lock, where nobody says. */
export const DEFAULT_WAIT_MS = 10_000

/** What a ledger that was just opened says of itself. @throws LedgerError ledger_damaged */
export async function whichLedger(engine: Engine, path: string): Promise<Meta> {
  const meta = await engine.read(readMeta)
  if (meta) return meta
  throw new LedgerError('ledger_damaged', `${path} does not say which ledger it is (ledger_meta is empty)`, {
    path,
  })
}
