import type { GivenEvidence } from '../core/given-evidence.js'
import type { JsonValue } from '../core/json.js'
import type { LedgerForReading } from '../ledger/open-for-reading.js'
import type { Ledger } from '../ledger.js'
import type { TextStyle } from '../report/text.js'
import type { Show } from './row.js'

/** What the screen has of the world besides its terminal. */
export interface World {
  /** milliseconds since 1970 */
  readonly now: () => number
  readonly show: Show
  /** masks secrets in a whole value */
  readonly mask: (value: JsonValue) => JsonValue
  /** how a page is written, with ages as of now */
  readonly style: () => TextStyle
  /** Opens the ledger for the moment of a look, and closes it: one held open would keep its log from being folded back. */
  readonly withLedgerForReading: <T>(use: (ledger: LedgerForReading) => Promise<T>) => Promise<T>
  /** the same for the moment of a decision */
  readonly withLedger: <T>(use: (ledger: Ledger) => Promise<T>) => Promise<T>
  /** what a person typed as evidence, with files read. @throws LedgerError invalid_input */
  readonly evidence: (typed: string) => Promise<readonly GivenEvidence[]>
  /** lets what waits be done: a key that was pressed, a frame */
  readonly breathe: () => Promise<void>
  /** waits so many milliseconds, less where the ledger can say that it was written, or until the signal is given */
  readonly untilWritten: (ms: number, signal: AbortSignal) => Promise<void>
  readonly planPath: string
}
