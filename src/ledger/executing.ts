import type { Session } from './session.js'
import { type Epochs, openTask, type TaskAbout, type TaskHandle } from './tasks.js'

/** What an executor does with a ledger. */
export interface Executing {
  /**
   * Opens a task (one run of an agent toward a goal), or says more of it, and claims its epoch.
   * @throws LedgerError invalid_input; refused or conflict when it was cancelled or taken over
   */
  task(taskId: string, about?: TaskAbout): Promise<TaskHandle>
}

export function executing(session: Session): Executing {
  const epochs: Epochs = new Map()
  return {
    task: (taskId, about = {}) => openTask(session, epochs, { taskId, about }),
  }
}
