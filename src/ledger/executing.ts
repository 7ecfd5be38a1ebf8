import { looksRandom } from '../core/operation-id.js'
import type { RunOutcome } from '../core/run-outcome.js'
import type { Executor } from '../execute/executor.js'
import type { Handler } from '../execute/handler.js'
import { run } from '../execute/run.js'
import { type Call, intentOf } from './call.js'
import type { Session } from './session.js'
import { openTask, type TaskAbout, type TaskHandle } from './tasks.js'

/** What an executor does with a ledger. */
export interface Executing {
  /**
   * Opens a task (one run of an agent toward a goal), or says more of it, and claims its epoch.
   * @throws LedgerError invalid_input; refused or conflict when it was cancelled or taken over
   */
  task(taskId: string, about?: TaskAbout): Promise<TaskHandle>
  /**
   * Carries one outside write out: the intent is durable before the handler runs, the outcome is recorded after. An
   * operation that is confirmed already answers with its record; one in doubt is not run again unless its contract
   * says that a repeat is safe. A missing task is opened. Retries of the write belong here alone: switch off those
   * of the client below and of the framework above.
   * @throws LedgerError invalid_input, different_input (the id stands for another input), conflict, or the ledger's
   * own failure (busy, ledger_unwritable, …); in every case nothing was sent
   */
  run<T>(call: Call, handler: Handler<T>): Promise<RunOutcome<T>>
}

export function executing(session: Session): Executing {
  const executor: Executor = { ...session, epochs: new Map() }
  return {
    task: (taskId, about = {}) => openTask(executor, taskId, about),
    run: async (call, handler) => {
      const intent = intentOf(session, call)
      warnOfRandomId(session, intent.operation_id)
      return run(executor, { intent, lease_ms: call.leaseMs ?? session.config.lease_ms }, handler)
    },
  }
}

function warnOfRandomId({ warn }: Session, operation_id: string): void {
  if (!looksRandom(operation_id)) return
  const message = `the operation id ${operation_id} looks made by chance: after a restart the same step must come to the same id, see operationId()`
  warn({ code: 'random_id', message, operation_id })
}
