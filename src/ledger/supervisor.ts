import { BUDGET_PARTS, type Budget, spendingWords, spentOf } from '../core/budget.js'
import { LedgerError } from '../core/errors.js'
import { type Check, checkFields, isObject, isText, isWhole } from '../core/given.js'
import type { RunOutcome } from '../core/run-outcome.js'
import type { TaskStatus } from '../core/task.js'
import { byOf, type Executor } from '../execute/executor.js'
import type { Handler, HandlerContext } from '../execute/handler.js'
import type { TaskChange } from '../store/store.js'
import type { Call } from './call.js'
import { recordDrain } from './drains.js'
import type { Executing } from './executing.js'
import { openTask } from './tasks.js'

/** What stops a framework's run at its next safe point: `RunControl` of LangGraph is one. */
export interface Drainable {
  requestDrain(reason?: string): void
}

export interface SuperviseOptions {
  readonly task: string
  /** what the task may use up; written into the task, so that whoever looks sees it */
  readonly budget?: { readonly steps?: number; readonly timeMs?: number; readonly cost?: number }
  /** from a graceful stop to the hard one, milliseconds; default 30 s */
  readonly graceMs?: number
  /** told to drain when the stop begins: LangGraph's `RunControl`, given to the run as `control` */
  readonly control?: Drainable
  /** told what began: a graceful stop, then perhaps a hard one */
  readonly onStop?: (stop: { readonly kind: 'graceful' | 'hard'; readonly reason: string }) => void
}

export interface Supervisor {
  /** aborted by the hard stop, as the signal of each handler is: give it to everything else that can be stopped */
  readonly signal: AbortSignal
  /** why it stops; null while it goes on */
  stopping(): string | null
  /** `ledger.run` of the task, counted as one step. While it stops, only reads are sent anew. */
  run<T>(call: Omit<Call, 'task'>, handler: Handler<T>): Promise<RunOutcome<T>>
  /** a step that is no operation: a model's turn, a tool that only reads; with what it cost. False: stop now */
  step(about?: { readonly cost?: number }): Promise<boolean>
  /** begins a graceful stop: what runs ends, nothing risky is newly sent, and after the grace all of it is aborted */
  stop(reason: string): Promise<void>
  /** waits until what runs has ended, or was aborted, and writes down how the task stands */
  finish(): Promise<TaskStatus>
}

const DEFAULT_GRACE_MS = 30_000
const LONGEST_MS = 2 ** 31 - 1

const FIELDS: Readonly<Record<keyof SuperviseOptions, Check>> = {
  task: isText,
  budget: isObject,
  graceMs: isWhole(0, LONGEST_MS),
  control: value =>
    typeof Reflect.get(Object(value), 'requestDrain') === 'function'
      ? null
      : 'must have requestDrain: the RunControl of @langchain/langgraph 1.4 or later',
  onStop: value => (typeof value === 'function' ? null : 'must be a function'),
}

const isAmount: Check = value =>
  Number.isFinite(value) && Number(value) >= 0 ? null : 'must be a number of 0 or more'
const BUDGET_FIELDS = {
  steps: isWhole(0, Number.MAX_SAFE_INTEGER),
  timeMs: isWhole(0, LONGEST_MS),
  cost: isAmount,
}

/** Holds a run to its budget, and stops it so that nothing is left in doubt that need not be. */
export async function supervise(
  executor: Executor,
  executes: Pick<Executing, 'run'>,
  options: SuperviseOptions,
): Promise<Supervisor> {
  checkFields(options, { fields: FIELDS, required: ['task'], what: 'supervise' })
  if (options.budget !== undefined)
    checkFields(options.budget, { fields: BUDGET_FIELDS, what: 'supervise: the budget' })
  const { task: taskId, control, onStop, graceMs = DEFAULT_GRACE_MS } = options
  const budget = budgetOf(options)
  await openTask(executor, taskId, budget === null ? {} : { budget: { ...budget } })
  const { store } = executor
  const aborting = new AbortController()
  const running = new Set<Promise<unknown>>()
  let why: { readonly reason: string; readonly isSpent: boolean } | null = null
  let stopped: Promise<void> | undefined
  let hard: NodeJS.Timeout | undefined
  const task = await store.task(taskId)
  const began = task?.created_at ?? executor.clock().at
  const clock =
    budget?.time_ms === undefined
      ? undefined
      : setTimeout(
          () => void check().catch(() => undefined),
          Math.max(0, began + budget.time_ms - executor.clock().at),
        )
  clock?.unref()

  const supervisor: Supervisor = {
    signal: aborting.signal,
    stopping: () => why?.reason ?? null,
    run: async (call, handler) => {
      const isRead = call.effect === 'read'
      if (why === null) await step({})
      else if (!isRead) await stopped // the ledger refuses it then, in the commit that would send it
      const ran = executes.run({ ...call, task: taskId }, context => handler(obeying(context)))
      running.add(ran)
      return ran.finally(() => running.delete(ran))
    },
    step: async (about = {}) => {
      await step(about)
      return why === null
    },
    stop: reason => begin(reason, false),
    finish: async () => {
      while (running.size > 0 && !aborting.signal.aborted) await Promise.race([...running, aborted()])
      clearTimeout(clock)
      clearTimeout(hard)
      return settle()
    },
  }
  return supervisor

  /** What runs hears of the hard stop by the signal that it listens to anyway. */
  function obeying(context: HandlerContext): HandlerContext {
    return { ...context, signal: AbortSignal.any([context.signal, aborting.signal]) }
  }

  async function step({ cost }: { readonly cost?: number }): Promise<void> {
    if (cost !== undefined && isAmount(cost) !== null)
      throw new LedgerError('invalid_input', `the step: "cost" ${isAmount(cost)}`, { path: 'cost' })
    await store.signal({
      kind: 'activity',
      subject: { task_id: taskId },
      spends: { steps: 1, cost: cost ?? 0 },
      clock: executor.clock,
    })
    await check()
  }

  async function check(): Promise<void> {
    const now = await store.task(taskId)
    if (now === null || why !== null) return
    const spent = spentOf(now, executor.clock().at)
    // What was just begun may use the last of it; the next thing is one too many.
    const over = spent.filter(({ part, used, allowed }) => part !== 'steps' || used > allowed)
    if (over.length > 0) await begin(`its budget is used up: ${over.map(spendingWords).join(', ')}`, true)
  }

  async function begin(reason: string, isSpent: boolean): Promise<void> {
    if (why !== null) return stopped
    why = { reason, isSpent }
    stopped = stopGracefully(reason)
    return stopped
  }

  async function stopGracefully(reason: string): Promise<void> {
    const until = executor.clock().at + graceMs
    await changeTask({ type: 'hold', until, reason })
    control?.requestDrain(reason)
    if (control !== undefined) await recordDrain(executor, taskId, reason)
    hard = setTimeout(() => {
      aborting.abort(new DOMException(reason, 'AbortError'))
      tell('hard', reason)
    }, graceMs)
    hard.unref()
    tell('graceful', reason)
  }

  function tell(kind: 'graceful' | 'hard', reason: string): void {
    try {
      onStop?.({ kind, reason })
    } catch {
      // its own affair
    }
  }

  function aborted(): Promise<void> {
    return new Promise(resolve => aborting.signal.addEventListener('abort', () => resolve(), { once: true }))
  }

  /** Fenced off where something was aborted, or may go on; paused by its reason else. */
  async function settle(): Promise<TaskStatus> {
    if (why !== null) {
      await stopped
      const { reason, isSpent } = why
      if (aborting.signal.aborted) await changeTask({ type: 'suspend', reason })
      else
        await changeTask({ type: 'set_status', status: isSpent ? 'budget_exhausted' : 'suspended', reason })
    }
    return (await store.task(taskId))?.status ?? 'running'
  }

  async function changeTask(request: TaskChange['request']): Promise<void> {
    const { isOwnerGone } = executor
    // Refused where a person was faster: how it stands then is theirs to say.
    await store.changeTask({ task_id: taskId, request, by: byOf(executor), isOwnerGone })
  }
}

function budgetOf({ budget }: SuperviseOptions): Budget | null {
  if (budget === undefined) return null
  const { steps, timeMs, cost } = budget
  const parts = { steps, time_ms: timeMs, cost }
  return Object.fromEntries(
    BUDGET_PARTS.flatMap(part => (parts[part] === undefined ? [] : [[part, parts[part]]])),
  )
}
