import type { Executor } from '../execute/executor.js'
import type { Session } from './session.js'

/** What `record` works with. */
export interface Recorder {
  readonly session: Session
  readonly executor: Executor
  /**
   * The holder of a sending: the process that the caller names, or whoever this recorder speaks for.
   * @throws LedgerError invalid_input for a process that is not there
   */
  readonly ownerOf: (pid: number | undefined) => string
}
