import { LedgerError } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { checkId } from '../core/operation-id.js'
import type { Task, TaskStatus, ThreadRef } from '../core/task.js'
import type { Refusal } from '../core/transitions/requests.js'
import type { Signalled } from '../store/store.js'
import { checkKeys } from './given.js'
import { byNow, type Session } from './session.js'

/** What an agent says of its task; what is left out stays as it was. Times are milliseconds since 1970 UTC. */
export interface TaskAbout {
  readonly goal?: string
  readonly agent?: string
  /** the task that started this one */
  readonly parent?: string
  /** where the framework that runs it keeps its checkpoint */
  readonly thread?: ThreadRef
  readonly workspace?: string
  readonly links?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly deadlineAt?: number
  readonly budget?: JsonObject
}

/** A task as this process holds it. */
export interface TaskHandle {
  readonly taskId: string
  /** as claimed when this ledger handle first touched the task; a takeover raises it, and this process is fenced off */
  readonly epoch: number
  /**
   * Says how the task stands: a pause by its reason, or its end. The text says why.
   * @throws LedgerError conflict when somebody took the task over, refused when it was cancelled
   */
  setStatus(status: TaskStatus, reason?: string): Promise<Task>
  complete(reason?: string): Promise<Task>
  fail(reason: string): Promise<Task>
  /** the process lives; `held: false` says that the task is closed or unknown */
  heartbeat(): Promise<Signalled>
  /** it did something */
  activity(): Promise<Signalled>
  /** something was achieved; `evidence` says what: a batch id, a count, a hypothesis excluded */
  progress(evidence: JsonValue): Promise<Signalled>
}

/** The epochs of the tasks this ledger handle touched, each as claimed at first touch. */
export type Epochs = Map<string, number>

const ABOUT_KEYS: Readonly<Record<keyof TaskAbout, true>> = {
  goal: true,
  agent: true,
  parent: true,
  thread: true,
  workspace: true,
  links: true,
  labels: true,
  deadlineAt: true,
  budget: true,
}

/** Opens a task, or says more of one that is open, and claims its epoch. */
export async function openTask(
  session: Session,
  epochs: Epochs,
  { taskId, about }: { taskId: string; about: TaskAbout },
): Promise<TaskHandle> {
  checkId(taskId, 'task id')
  checkKeys(about, ABOUT_KEYS, `task ${taskId}`)
  const { parent, deadlineAt, ...said } = about
  const { task, refusal } = await session.store.changeTask({
    task_id: taskId,
    request: {
      type: 'open',
      task: {
        task_id: taskId,
        ...said,
        ...(parent === undefined ? {} : { parent_task_id: parent }),
        ...(deadlineAt === undefined ? {} : { deadline_at: deadlineAt }),
      },
    },
    by: byNow(session),
    isOwnerGone: session.isOwnerGone,
  })
  if (refusal !== null) throw refusedTask(taskId, refusal)
  return taskHandle(session, taskId, claimEpoch(epochs, task, taskId))
}

/** The epoch this handle holds of a task; the first one seen stays. */
export function claimEpoch(epochs: Epochs, task: Task | null, taskId: string): number {
  const held = epochs.get(taskId)
  if (held !== undefined) return held
  if (task === null) throw new LedgerError('not_found', `there is no task ${taskId}`, { id: taskId })
  epochs.set(taskId, task.epoch)
  return task.epoch
}

function taskHandle(session: Session, taskId: string, epoch: number): TaskHandle {
  const signal = (kind: 'heartbeat' | 'activity' | 'progress', progress?: JsonValue) =>
    session.store.signal({
      kind,
      subject: { task_id: taskId },
      ...(progress === undefined ? {} : { progress }),
      now: session.clock(),
    })
  const setStatus = (status: TaskStatus, reason?: string) =>
    setTaskStatus(session, { taskId, epoch, status, reason: reason ?? null })
  return {
    taskId,
    epoch,
    setStatus,
    complete: reason => setStatus('completed', reason),
    fail: reason => setStatus('failed', reason),
    heartbeat: () => signal('heartbeat'),
    activity: () => signal('activity'),
    progress: evidence => signal('progress', evidence),
  }
}

async function setTaskStatus(
  session: Session,
  ask: { taskId: string; epoch: number; status: TaskStatus; reason: string | null },
): Promise<Task> {
  const { taskId, epoch, status, reason } = ask
  const before = await session.store.task(taskId)
  if (before !== null && before.epoch !== epoch)
    throw refusedTask(taskId, {
      rule: 'epoch_as_claimed',
      code: 'conflict',
      reason: `task ${taskId} is at epoch ${before.epoch}, this process claimed epoch ${epoch}`,
      satisfy: 'it was fenced off by a takeover: end it, and start a new one that opens the task again',
    })
  const { task, refusal } = await session.store.changeTask({
    task_id: taskId,
    request: { type: 'set_status', status, reason },
    by: byNow(session),
    isOwnerGone: session.isOwnerGone,
  })
  if (refusal !== null) throw refusedTask(taskId, refusal)
  if (task === null) throw new LedgerError('not_found', `there is no task ${taskId}`, { id: taskId })
  return task
}

function refusedTask(id: string, { code, reason, satisfy, rule }: Refusal): LedgerError {
  return new LedgerError(code, reason, { id, hint: satisfy, rule })
}
