import type { ExportLine } from '../store/export.js'
import { VERSION } from '../version.js'
import type { LookingSession } from './looking/session.js'
import { unknownTask } from './unknown-id.js'

export interface ExportOptions {
  /** of this task alone */
  readonly taskId?: string
  /** said in the first line: secrets are masked by whoever writes the lines */
  readonly masked: boolean
}

/** The lines of an export. @throws LedgerError not_found, with ids near it */
export async function* exported(
  { store, clock }: LookingSession,
  { taskId, masked }: ExportOptions,
): AsyncGenerator<ExportLine> {
  if (taskId !== undefined && (await store.task(taskId)) === null) throw await unknownTask(store, taskId)
  yield* store.exportLines({
    exported_at: clock().at,
    program: `agent-ledger ${VERSION}`,
    masked,
    task_id: taskId ?? null,
  })
}
