import { isTaskClosed, type Task } from '../task.js'
import { differs, heldBack, type TaskContext, type TaskDecided } from './task-decided.js'

/** What another system's record says of a task; null where it does not say. */
export interface TheirTask
  extends Pick<
    Task,
    | 'task_id'
    | 'parent_task_id'
    | 'goal'
    | 'status'
    | 'status_reason'
    | 'agent'
    | 'thread'
    | 'workspace'
    | 'labels'
    | 'deadline_at'
    | 'heartbeat_at'
    | 'activity_at'
    | 'progress_at'
    | 'closed_at'
  > {
  readonly created_at: number | null
  /** what only a ledger of this program keeps */
  readonly own?: Partial<Pick<Task, 'links' | 'budget'>>
}

/** A task that is new here. */
export function takenIn(task: TheirTask): TaskDecided {
  const { task_id: _, status, created_at, closed_at, own = {}, ...said } = task
  return {
    ok: true,
    body: {
      from: null,
      to: status,
      set: {
        ...known({ ...said, ...own }),
        ...(created_at === null ? {} : { created_at }),
        ...(isTaskClosed(status) ? known({ closed_at }) : {}),
        epoch: 1,
      },
    },
  }
}

/**
 * What a later reading adds. Nothing that it leaves open takes back what was said before, an earlier state of their
 * record changes nothing, and whoever holds the task here, or held it, keeps its status.
 */
export function toldMore(task: Task, theirs: TheirTask, context: TaskContext): TaskDecided {
  if (isEarlier(theirs, task)) return { ok: true, body: null }
  const refusal = heldBack(task, context)
  if (refusal !== null && theirs.status !== task.status) return { ok: false, refusal }
  const { task_id: _, status, created_at: __, closed_at, own = {}, ...said } = theirs
  const to = task.epoch > 1 || refusal !== null ? task.status : status
  const told = { ...known({ ...said, ...own }), ...(isTaskClosed(to) ? known({ closed_at }) : {}) }
  const set = Object.fromEntries(
    Object.entries(told).filter(([name, value]) => differs(value, Reflect.get(task, name))),
  )
  const isSame = to === task.status && Object.keys(set).length === 0
  return { ok: true, body: isSame ? null : { from: task.status, to, set } }
}

/** By the newest sign of life in it; without one nobody can tell. */
function isEarlier(theirs: TheirTask, task: Task): boolean {
  const before = newestOf(task)
  const now = newestOf(theirs)
  return before !== null && now !== null && now < before
}

function newestOf({ heartbeat_at, activity_at, progress_at }: TheirTask | Task): number | null {
  const times = [heartbeat_at, activity_at, progress_at].filter(at => at !== null)
  return times.length === 0 ? null : Math.max(...times)
}

function known<T extends object>(said: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(said).filter(([, value]) => value !== null && value !== undefined && !isEmpty(value)),
  ) as Partial<T> // the members of T that say something
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(Object(value)).length === 0
}
