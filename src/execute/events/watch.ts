import { nextAction } from '../../core/next-action.js'
import type { Operation } from '../../core/operation.js'
import type { Task } from '../../core/task.js'
import type { Stamp } from '../../core/time.js'
import type { EventType } from '../../core/transitions/requests.js'
import type { By, Changed, Store } from '../../store/store.js'
import type { Mask } from '../executor.js'
import { type LedgerEvent, type LedgerEventType, STATUS_BETWEEN, TYPE_OF } from './ledger-event.js'

/** Something that is told of every event. Its faults are its own affair. */
export interface Observer {
  readonly event: (event: LedgerEvent) => void
  /** false: nobody would hear it now, so that no event is made; left out: somebody always does */
  readonly isHeard?: () => boolean
  /** Runs the work of one attempt, so that what the work starts can be seen to belong to it. */
  readonly during?: <T>(attempt: AttemptRef, work: () => T) => T
  readonly close?: () => void
}

export interface AttemptRef {
  readonly operation_id: string
  readonly attempt: number
}

/** Tells the observers of what the store does not see, and runs attempts under their eyes. */
export interface Watch {
  readonly refused: (operation: Operation, reason: string) => void
  readonly leaseLost: (operation: Operation, reason: string) => void
  readonly during: <T>(attempt: AttemptRef, work: () => T) => T
  readonly close: () => void
}

interface Watching {
  readonly observers: readonly Observer[]
  readonly mask: Mask
  readonly actor: string
  readonly clock: () => Stamp
}

/** The store under observation: each move that is durable is told, in order; and the watch for the rest. */
export function watched(store: Store, watching: Watching): { readonly store: Store; readonly watch: Watch } {
  const { observers, actor, clock } = watching
  const isHeard = () => observers.some(({ isHeard = () => true }) => isHeard())
  const tell = (happened: Happened) => {
    const event = eventOf(happened, watching)
    for (const { event: hear } of observers) quietly(() => hear(event))
  }
  const without = (type: LedgerEventType) => (operation: Operation, reason: string) => {
    if (isHeard()) tell({ type, move: null, operation, task: null, by: actor, reason, now: clock() })
  }
  return {
    store: { ...store, change, changeTask },
    watch: {
      refused: without('refused'),
      leaseLost: without('lease_lost'),
      during: ({ operation_id, attempt: n }, work) => {
        // Observers know ids as they were told of them.
        const attempt = { operation_id: watching.mask.text(operation_id), attempt: n }
        return observers.reduce<typeof work>((inner, { during }) => {
          return during === undefined ? inner : () => during(attempt, inner)
        }, work)()
      },
      close: () => {
        for (const { close } of observers) quietly(() => close?.())
      },
    },
  }

  async function change(...[asked]: Parameters<Store['change']>): ReturnType<Store['change']> {
    const changed = await store.change(asked)
    if (isHeard()) tellMoves(changed, asked.by)
    return changed
  }

  function tellMoves({ state, task, events }: Changed, { actor: by, clock }: By): void {
    const now = clock()
    for (const [n, { type }] of state === null ? [] : events.entries()) {
      if (!isMove(type) || state === null) continue
      const between = n === events.length - 1 ? undefined : STATUS_BETWEEN[type]
      const operation = between === undefined ? state.operation : { ...state.operation, status: between }
      tell({ type: TYPE_OF[type], move: type, operation, task, by, reason: null, now })
    }
  }

  async function changeTask(...[asked]: Parameters<Store['changeTask']>): ReturnType<Store['changeTask']> {
    const changed = await store.changeTask(asked)
    if (!isHeard()) return changed
    const { type } = asked.request
    const { actor: by } = asked.by
    const now = asked.by.clock()
    for (const { operation } of isMove(type) ? changed.operations : []) {
      if (!isMove(type)) continue
      const { task } = changed
      tell({ type: TYPE_OF[type], move: type, operation, task, by, reason: null, now })
    }
    return changed
  }
}

interface Happened extends Pick<LedgerEvent, 'type' | 'move' | 'by' | 'reason'> {
  readonly operation: Operation
  readonly task: Task | null
  readonly now: Stamp
}

function eventOf({ operation, task, now, ...happened }: Happened, { mask }: Watching): LedgerEvent {
  const { operation_id, task_id, phase, step, tool, target, status, attempt, last_error } = operation
  const look = { now, isOwnerGone: () => false }
  const isFailure =
    status === 'unknown' ||
    status === 'not_executed' ||
    happened.type === 'retry_scheduled' ||
    // the answer was lost and its repeat is scheduled already
    (status === 'prepared' && last_error !== null && last_error.attempt === attempt)
  const told = nextAction({ operation, look, task, targetTouched: null })
  const masked = (text: string | null) => (text === null ? null : mask.text(text))
  return {
    ...happened,
    at: now.at,
    by: mask.text(happened.by),
    operation_id: mask.text(operation_id),
    task_id: mask.text(task_id),
    phase: masked(phase),
    step: masked(step),
    tool: mask.text(tool),
    target: masked(target),
    status,
    attempts: attempt,
    may_have_applied: operation.may_have_applied,
    error: !isFailure || last_error === null ? null : errorOf(last_error, mask),
    reason: masked(happened.reason),
    next_action: { ...told, operation_id: mask.text(operation_id), reason: mask.text(told.reason) },
  }
}

function errorOf(
  { rule, message, code }: NonNullable<Operation['last_error']>,
  mask: Mask,
): LedgerEvent['error'] {
  return { rule, message: mask.text(message), ...(code === undefined ? {} : { code }) }
}

function isMove(type: string): type is EventType {
  return Object.hasOwn(TYPE_OF, type)
}

function quietly(tell: () => unknown): void {
  try {
    // A listener that is a function of its own time may reject later: that is no failure of ours either.
    const answer = tell()
    if (answer instanceof Promise) answer.catch(() => {})
  } catch {
    // its own affair
  }
}
