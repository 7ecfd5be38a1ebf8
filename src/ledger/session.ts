import type { LedgerConfig } from '../config/config.js'
import type { Executor } from '../execute/executor.js'
import type { Outside } from './outside.js'

/**
 * What every verb of an open ledger stands on: the store, the clocks and the process of src/host.ts, and who acts.
 * Tests give their own.
 */
export interface Session extends Omit<Executor, 'epochs'> {
  readonly config: LedgerConfig
  /** what probes may use; absent: nothing is asked */
  readonly outside?: Outside
}

export { byOf, type LedgerWarning, type WarningCode } from '../execute/executor.js'
