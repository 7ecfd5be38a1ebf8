import type { Ledger, LedgerForReading } from '../../ledger.js'
import type { Deps } from '../deps.js'

/** What a decision works with, handed on as one. */
export interface Opened<L = Ledger> {
  readonly ledger: L
  readonly deps: Deps
}

/** Opens the ledger in use to write it. */
export function withLedger<T>(deps: Deps, work: (opened: Opened) => Promise<T>): Promise<T> {
  return deps.withLedger(ledger => work({ ledger, deps }))
}

/** Opens the ledger in use to read it. */
export function withLedgerForReading<T>(
  deps: Deps,
  work: (opened: Opened<LedgerForReading>) => Promise<T>,
): Promise<T> {
  return deps.withLedgerForReading(ledger => work({ ledger, deps }))
}
