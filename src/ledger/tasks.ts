import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isSomeText, isText, isTextList, isTime } from '../core/given.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { checkValueDepth } from '../core/json-depth.js'
import { checkId } from '../core/operation-id.js'
import type { Task, TaskStatus, ThreadRef } from '../core/task.js'
import type { Refusal } from '../core/transitions/requests.js'
import { type ActivityAbout, checkEvidence, toldOf } from '../execute/activity.js'
import { holdEpoch } from '../execute/announce.js'
import { byOf, type Executor } from '../execute/executor.js'
import type { Note, Signal, Signalled } from '../store/store.js'
import { leaveNote, type NoteTold } from './handoff.js'
import type { PhaseAbout, PhaseDone } from './phases.js'

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
  /** it did something; `about` says what, so that going round is seen. @throws LedgerError invalid_input */
  activity(about?: ActivityAbout): Promise<Signalled>
  /**
   * something was achieved; `evidence` says what: a batch id, a count, a hypothesis excluded. The same evidence again is
   * no progress. @throws LedgerError invalid_input without any
   */
  progress(evidence: JsonValue): Promise<Signalled>
  /** a part of the task that is done once: see `ledger.phase` */
  phase<T>(
    name: string,
    about: Omit<PhaseAbout, 'task'>,
    work: (why: readonly string[]) => T | Promise<T>,
  ): Promise<PhaseDone<T>>
  /** a handoff note: see `ledger.note` */
  note(told: NoteTold): Promise<Note>
}

const ABOUT_FIELDS: Readonly<Record<keyof TaskAbout, Check>> = {
  goal: isText,
  agent: isText,
  parent: isSomeText,
  thread: isObject,
  workspace: isText,
  links: isTextList,
  labels: isObject,
  deadlineAt: isTime,
  budget: isObject,
}

/** Opens a task, or says more of one that is open, and claims its epoch. */
export async function openTask(executor: Executor, taskId: string, about: TaskAbout): Promise<TaskHandle> {
  checkId(taskId, 'task id')
  checkFields(about, { fields: ABOUT_FIELDS, what: `task ${taskId}` })
  for (const [name, value] of Object.entries(about)) checkValueDepth(value, `task ${taskId}: ${name}`)
  const { parent, deadlineAt, ...said } = about
  const { task, refusal } = await executor.store.changeTask({
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
    by: byOf(executor),
    isOwnerGone: executor.isOwnerGone,
  })
  if (refusal !== null) throw refusedTask(taskId, refusal)
  if (task === null) throw unknownTask(taskId)
  return taskHandle(executor, taskId, holdEpoch(executor, task))
}

function taskHandle(executor: Executor, taskId: string, epoch: number): TaskHandle {
  const signal = (kind: Signal['kind'], about: Pick<Signal, 'action' | 'progress'> = {}) =>
    executor.store.signal({ kind, subject: { task_id: taskId }, ...about, clock: executor.clock })
  const setStatus = (status: TaskStatus, reason?: string) =>
    setTaskStatus(executor, { taskId, epoch, status, reason: reason ?? null })
  return {
    taskId,
    epoch,
    setStatus,
    complete: reason => setStatus('completed', reason),
    fail: reason => setStatus('failed', reason),
    heartbeat: () => signal('heartbeat'),
    activity: async about => signal('activity', toldOf(executor, about)),
    phase: async (name, about, work) =>
      (await import('./phases.js')).runPhase(executor, { name, about: { ...about, task: taskId } }, work),
    note: told => leaveNote(executor, taskId, told),
    progress: async evidence => {
      checkValueDepth(checkEvidence(evidence), `the progress of task ${taskId}`)
      return signal('progress', { progress: evidence })
    },
  }
}

async function setTaskStatus(
  executor: Executor,
  ask: { taskId: string; epoch: number; status: TaskStatus; reason: string | null },
): Promise<Task> {
  const { taskId, epoch, status, reason } = ask
  const before = await executor.store.task(taskId)
  if (before !== null && before.epoch !== epoch)
    throw refusedTask(taskId, {
      rule: 'epoch_as_claimed',
      code: 'conflict',
      reason: `task ${taskId} is at epoch ${before.epoch}, this process claimed epoch ${epoch}`,
      satisfy: 'it was fenced off by a takeover: end it, and start a new one that opens the task again',
    })
  const { task, refusal } = await executor.store.changeTask({
    task_id: taskId,
    request: { type: 'set_status', status, reason },
    by: byOf(executor),
    isOwnerGone: executor.isOwnerGone,
  })
  if (refusal !== null) throw refusedTask(taskId, refusal)
  if (task === null) throw unknownTask(taskId)
  return task
}

function refusedTask(id: string, { code, reason, satisfy, rule }: Refusal): LedgerError {
  return new LedgerError(code, reason, { id, hint: satisfy, rule })
}

function unknownTask(id: string): LedgerError {
  return new LedgerError('not_found', `there is no task ${id}`, { id })
}
