import { actorWords } from '../actor.js'
import type { JsonObject } from '../json.js'
import { isTaskClosed, type Task, type TaskStatus, type ThreadRef } from '../task.js'
import { type TheirTask, takenIn, toldMore } from './import-task.js'
import type { Refusal } from './requests.js'
import { differs, heldBack, type TaskContext, type TaskDecided, type TaskEventBody } from './task-decided.js'

/** What an agent says of its task; what is left out stays as it was. */
export interface NewTask {
  readonly task_id: string
  readonly parent_task_id?: string | null
  readonly goal?: string | null
  readonly agent?: string | null
  readonly thread?: ThreadRef | null
  readonly workspace?: string | null
  readonly links?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly deadline_at?: number | null
  readonly budget?: JsonObject | null
}

/** `open` also updates what an existing task says of itself; its status stays unless it is given. */
export type TaskRequest =
  | { readonly type: 'open'; readonly task: NewTask; readonly status?: TaskStatus }
  | { readonly type: 'set_status'; readonly status: TaskStatus; readonly reason: string | null }
  /** fences the open operations off in the same commit; raises the epoch */
  | { readonly type: 'takeover'; readonly reason: string }
  | { readonly type: 'handback'; readonly reason: string }
  /** a supervisor gave notice: until it is lifted nothing but reads is newly sent */
  | { readonly type: 'hold'; readonly until: number; readonly reason: string }
  /** what the notice was about is over */
  | { readonly type: 'lift'; readonly reason: string }
  /** as takeover, by a supervisor: nobody holds it then, and it runs again after handback */
  | { readonly type: 'suspend'; readonly reason: string }
  /** cancels its prepared operations and asks the others to, in the same commit */
  | { readonly type: 'cancel'; readonly reason: string }
  | { readonly type: 'import'; readonly task: TheirTask }

type RequestOfTask<T extends TaskRequest['type']> = Extract<TaskRequest, { type: T }>

/** What becomes of a request about a task. Pure, like `decide` for operations. */
export function decideTask(task: Task | null, request: TaskRequest, context: TaskContext): TaskDecided {
  if (task === null) {
    if (request.type === 'open') return opened(request)
    if (request.type === 'import') return takenIn(request.task)
    return refuse('task_known', 'refused', 'there is no such task', 'open it first')
  }
  switch (request.type) {
    case 'open':
      return updated(task, request, context)
    case 'set_status':
      return statusSet(task, request, context)
    case 'takeover':
      return takenOver(task, request.reason, context)
    case 'handback':
      return handedBack(task, request.reason)
    case 'cancel':
      return cancelled(task, request.reason, context)
    case 'hold':
      return held(task, request)
    case 'lift':
      return lifted(task, request.reason)
    case 'suspend':
      return suspended(task, request.reason)
    case 'import':
      return toldMore(task, request.task, context)
  }
}

/** The row after an event. Used both to write it and, by `verify`, to recompute it. */
export function evolveTask(
  task: Task | null,
  recorded: { task_id: string; at: number; body: TaskEventBody },
): Task {
  const { task_id, at, body } = recorded
  const before = task ?? unwritten(task_id, at)
  return {
    ...before,
    ...body.set,
    status: body.to,
    version: before.version + 1,
    updated_at: body.quiet ? before.updated_at : at,
    closed_at: isTaskClosed(body.to) ? (body.set.closed_at ?? before.closed_at ?? at) : null,
  }
}

/** A task that nobody opened yet, as the guards of its first operation see it. */
export function freshTask(task_id: string, at: number): Task {
  return evolveTask(null, { task_id, at, body: FIRST })
}

const FIRST: TaskEventBody = { from: null, to: 'running', set: { epoch: 1 } }

function opened({ task, status }: RequestOfTask<'open'>): TaskDecided {
  return { ok: true, body: { from: null, to: status ?? 'running', set: { ...saidOf(task), epoch: 1 } } }
}

function updated(task: Task, request: RequestOfTask<'open'>, context: TaskContext): TaskDecided {
  const refusal = heldBack(task, context)
  if (refusal !== null) return { ok: false, refusal }
  const set = Object.fromEntries(
    Object.entries(saidOf(request.task)).filter(([name, value]) => differs(value, Reflect.get(task, name))),
  )
  const to = request.status ?? task.status
  const isSame = to === task.status && Object.keys(set).length === 0
  return { ok: true, body: isSame ? null : { from: task.status, to, set } }
}

function statusSet(
  task: Task,
  { status, reason }: RequestOfTask<'set_status'>,
  context: TaskContext,
): TaskDecided {
  if (status === task.status && reason === task.status_reason) return { ok: true, body: null }
  const mayEnd = task.status === 'cancel_requested' && isTaskClosed(status)
  const refusal = heldBack(mayEnd ? { ...task, status: 'running' } : task, context)
  if (refusal !== null) return { ok: false, refusal }
  // a notice is about what runs
  const held = task.grace_until === null || status === 'running' ? {} : UNHELD
  const set = { status_reason: reason, ...held }
  return { ok: true, body: { from: task.status, to: status, set, ...why(reason) } }
}

function takenOver(task: Task, reason: string, { actor, at }: TaskContext): TaskDecided {
  if (reason.trim() === '') return refuse('reason_given', 'refused', 'no reason was given', 'give --reason')
  if (task.taken_over_by !== null)
    return refuse(
      'task_not_taken_over',
      'conflict',
      `task ${task.task_id} is held by ${actorWords(task.taken_over_by)} since ${new Date(task.taken_over_at ?? 0).toISOString()}`,
      `talk to them, or hand it back: agent-ledger handback ${task.task_id}`,
    )
  const set = { taken_over_by: actor, taken_over_at: at, epoch: task.epoch + 1 }
  return { ok: true, body: { from: task.status, to: task.status, set, reason } }
}

function handedBack(task: Task, reason: string): TaskDecided {
  if (task.taken_over_by === null && task.status !== 'suspended' && task.grace_until === null)
    return refuse(
      'task_taken_over',
      'refused',
      `nobody holds task ${task.task_id}`,
      'nothing is to be handed back',
    )
  const to = task.status === 'suspended' ? 'running' : task.status
  return {
    ok: true,
    body: {
      from: task.status,
      to,
      set: { taken_over_by: null, taken_over_at: null, ...UNHELD },
      ...why(reason),
    },
  }
}

const UNHELD = { grace_until: null, grace_reason: null }

/** Only what runs is given a notice. */
function held(task: Task, { until, reason }: RequestOfTask<'hold'>): TaskDecided {
  if (task.status !== 'running' || task.taken_over_by !== null) return notRunning(task)
  if (task.grace_until !== null && until <= task.grace_until) return { ok: true, body: null }
  const set = { grace_until: until, grace_reason: reason }
  return { ok: true, body: { from: task.status, to: task.status, set, reason, quiet: true } }
}

function lifted(task: Task, reason: string): TaskDecided {
  if (task.grace_until === null) return { ok: true, body: null }
  return { ok: true, body: { from: task.status, to: task.status, set: UNHELD, ...why(reason), quiet: true } }
}

function suspended(task: Task, reason: string): TaskDecided {
  if (task.status !== 'running' || task.taken_over_by !== null) return notRunning(task)
  const set = { status_reason: reason, epoch: task.epoch + 1, ...UNHELD }
  return { ok: true, body: { from: task.status, to: 'suspended', set, reason } }
}

function notRunning(task: Task): TaskDecided {
  const who = task.taken_over_by === null ? '' : ` and held by ${actorWords(task.taken_over_by)}`
  return refuse(
    'task_runs',
    'conflict',
    `task ${task.task_id} is ${task.status}${who}`,
    'only what runs is suspended',
  )
}

function cancelled(task: Task, reason: string, { hasOpenSent }: TaskContext): TaskDecided {
  if (reason.trim() === '') return refuse('reason_given', 'refused', 'no reason was given', 'give --reason')
  if (isTaskClosed(task.status))
    return refuse(
      'task_open',
      'refused',
      `task ${task.task_id} is ${task.status} already`,
      'nothing is to be cancelled',
    )
  const to = hasOpenSent ? 'cancel_requested' : 'cancelled'
  if (to === task.status) return { ok: true, body: null }
  return { ok: true, body: { from: task.status, to, set: { status_reason: reason }, reason } }
}

function unwritten(task_id: string, at: number): Task {
  return {
    task_id,
    parent_task_id: null,
    goal: null,
    status: 'running',
    status_reason: null,
    agent: null,
    thread: null,
    workspace: null,
    links: [],
    labels: {},
    deadline_at: null,
    budget: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    progress: null,
    steps: 0,
    cost: 0,
    grace_until: null,
    grace_reason: null,
    taken_over_by: null,
    taken_over_at: null,
    epoch: 0,
    version: 0,
    created_at: at,
    updated_at: at,
    closed_at: null,
  }
}

/** What was said of the task: a field left out and one that is undefined both say nothing. */
function saidOf({ task_id: _, ...said }: NewTask): TaskEventBody['set'] {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

function why(reason: string | null) {
  return reason === null || reason.trim() === '' ? {} : { reason }
}

function refuse(rule: string, code: Refusal['code'], reason: string, satisfy: string): TaskDecided {
  return { ok: false, refusal: { rule, code, reason, satisfy } }
}
