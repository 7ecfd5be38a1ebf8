import type { TaskStatus } from '../../core/task.js'
import { bytesDigest, clipText } from '../bounded-json.js'
import { type Call, keyOf } from './call.js'
import { currentRunId, type Run } from './run.js'

/**
 * One task for a run and for what resets made of it: a reset keeps the run id of the first event. A run that goes on where
 * another ended (continue-as-new, retry, schedule) is a task of its own.
 */
export function taskIdOf(run: Run): string {
  return safeId(`temporal:${run.started?.originalRunId ?? run.describe?.runId ?? `unnamed-${run.mark}`}`)
}

/** The same for the part that a reset has copied, so that one call of two files is one operation. */
export function operationIdOf(run: Run, call: Call): string {
  return safeId(`${taskIdOf(run)}/${keyOf(call)}`)
}

/** What the workflow is called; a run without a name is called by its run. */
export function threadIdOf(run: Run): string {
  return safeText(run.started?.workflowId ?? run.describe?.workflowId ?? currentRunId(run) ?? run.mark, 512)
}

export function typeOf(run: Run): string {
  return safeText(run.started?.type ?? run.describe?.type ?? 'workflow of an unknown type', 300)
}

/** The place of a call in its thread, as `<name>:<key>`. */
export function namespaceOf(name: string, call: Call): string {
  return `${name.replaceAll(/[|:]/g, '_')}:${keyOf(call)}`
}

export const CLOSED_STATUSES: ReadonlySet<string> = new Set([
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'TERMINATED',
  'CONTINUED_AS_NEW',
  'TIMED_OUT',
])

/** COMPLETED, …; null while it is open, as far as history and describe say. */
export function closedAs(run: Run): string | null {
  if (run.close !== null) return run.close.how
  const status = run.describe?.status ?? ''
  return CLOSED_STATUSES.has(status) ? status : null
}

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  COMPLETED: 'completed',
  CONTINUED_AS_NEW: 'completed',
  FAILED: 'failed',
  TIMED_OUT: 'failed',
  CANCELED: 'cancelled',
  TERMINATED: 'cancelled',
}

export function taskStatusOf(run: Run): TaskStatus {
  const how = closedAs(run)
  if (how !== null) return STATUSES[how] ?? 'running'
  if (run.isPaused > 0 || run.describe?.status === 'PAUSED') return 'suspended'
  return run.cancelAskedAt === null ? 'running' : 'cancel_requested'
}

/** At most 512 bytes of well-formed text without control characters; anything else by its digest. */
function safeId(id: string): string {
  const isSafe =
    id.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/u.test(id) && Buffer.byteLength(id) <= 512
  return isSafe ? id : `temporal:${bytesDigest(id).slice(0, 39)}`
}

export function safeText(text: string, most: number): string {
  return clipText(text, most).replaceAll(/[\u0000-\u001f\u007f-\u009f]/gu, '\ufffd') || 'unnamed'
}
