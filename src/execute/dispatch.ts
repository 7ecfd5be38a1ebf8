import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, isLedgerError, type LedgerError } from '../core/errors.js'
import type { JsonValue } from '../core/json.js'
import type { RunOutcome } from '../core/run-outcome.js'
import type { DueOperation } from '../store/store.js'
import { announce } from './announce.js'
import type { Executor } from './executor.js'
import type { HandlerContext } from './handler.js'
import { carryOut } from './run.js'
import { takeInReceipts } from './take-in.js'
import { hasSpooled, refuseWhileUnrecorded } from './unrecorded.js'

/** What a dispatcher's handler is told of the operation beside what every handler is given. */
export interface Dispatching {
  readonly operation_id: string
  readonly task_id: string
  readonly tool: string
  readonly target: string | null
  readonly input: JsonValue
}

export type DispatchHandler = (operation: Dispatching, context: HandlerContext) => unknown

export interface Dispatch {
  readonly handlers: ReadonlyMap<string, DispatchHandler>
  /** operations carried out at the same time */
  readonly concurrency: number
  /** `idle`: until nothing can be sent now · `aborted`: until the signal says so */
  readonly until: 'idle' | 'aborted'
  readonly pollMs: number
  readonly leaseMs: number
  /** aborted: nothing further is begun, and what runs is waited for */
  readonly signal?: AbortSignal
}

/** What a dispatcher did. */
export interface Dispatched {
  /** sendings by what they came to */
  readonly outcomes: Readonly<Partial<Record<RunOutcome['status'], number>>>
  /** what it had no handler for, by tool: left as it is */
  readonly left: Readonly<Record<string, number>>
}

const PAGE = 100
/** One that a rule holds back now is not asked for again before this: it may wait for a person. */
const HELD_BACK_MS = 30_000

/**
 * Carries out what is prepared and due, whoever prepared it, and what earlier executors left: due retries, and
 * doubts whose repeat is safe now. Each is sent by its own commit, so of several dispatchers one wins, and one that
 * cannot be sent or fails keeps none of the others back.
 */
export async function dispatch(executor: Executor, options: Dispatch): Promise<Dispatched> {
  const { handlers, concurrency, until, pollMs, signal } = options
  const outcomes: Partial<Record<RunOutcome['status'], number>> = {}
  const left = new Map<string, Set<string>>()
  const running = new Map<string, Promise<void>>()
  const notBefore = new Map<string, number>()
  let isAway = false
  const isStopped = () => signal?.aborted === true
  try {
    while (!isStopped()) {
      const begun = await lookAgainWhileAway(beginAll)
      if (until === 'idle' && begun === 0 && running.size === 0) break
      if (begun === 0) await Promise.race([pause(pollMs, signal), ...running.values()])
    }
  } finally {
    await Promise.all(running.values())
  }
  const counts = [...left].map(([tool, ids]) => [tool, ids.size] as const)
  return { outcomes, left: Object.fromEntries(counts) }

  /** What runs until it is told to stop outlasts a server that starts again, and a file that is moved and put back. */
  async function lookAgainWhileAway(look: () => Promise<number>): Promise<number> {
    try {
      return await look()
    } catch (error) {
      if (until === 'idle' || !isLedgerAway(error)) throw error
      tellAway(error)
      return 0
    }
  }

  function tellAway({ message }: LedgerError): void {
    if (!isAway)
      executor.warn({ code: 'dispatch_failed', message: `nothing is sent, and it looks again: ${message}` })
    isAway = true
  }

  /** One walk over what is due; how many were begun. */
  async function beginAll(): Promise<number> {
    // What could not be recorded while the ledger was away holds its task back.
    if (hasSpooled(executor)) await takeInReceipts({ ...executor, epochs: new Map() })
    const goneOwners = (await executor.store.leaseOwners()).filter(executor.isOwnerGone)
    let begun = 0
    let afterSeq = 0
    isAway = false
    while (!isStopped() && !isAway) {
      const page = await executor.store.due({ now: executor.clock(), goneOwners, afterSeq, limit: PAGE })
      for (const one of page) {
        if (isStopped() || isAway) break
        if (await begin(one)) begun += 1
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      afterSeq = last.seq
    }
    return begun
  }

  async function begin(one: DueOperation): Promise<boolean> {
    const { operation_id, tool } = one
    const handler = handlers.get(tool)
    if (handler === undefined) {
      leave(one)
      return false
    }
    const isHeldBack = (notBefore.get(operation_id) ?? 0) > executor.monotonicMs()
    if (running.has(operation_id) || isHeldBack) return false
    while (running.size >= concurrency) await Promise.race(running.values())
    if (isStopped()) return false
    const work = carryOutOne(one, handler).finally(() => running.delete(operation_id))
    running.set(operation_id, work)
    return true
  }

  /** Never rejects: what goes wrong with one is told and tried again later. */
  async function carryOutOne(one: DueOperation, handler: DispatchHandler): Promise<void> {
    const { operation_id } = one
    try {
      const outcome = await sendOne(executor, one, { handler, lease_ms: options.leaseMs })
      if (outcome === null) return holdBack(operation_id)
      outcomes[outcome.status] = (outcomes[outcome.status] ?? 0) + 1
      notBefore.delete(operation_id)
    } catch (error) {
      if (!isLedgerError(error)) throw error
      if (until === 'aborted' && isLedgerAway(error)) {
        tellAway(error)
        return holdBack(operation_id, pollMs)
      }
      holdBack(operation_id)
      executor.warn({
        code: 'dispatch_failed',
        message: `${operation_id} was not sent: ${error.message}`,
        operation_id,
      })
    }
  }

  function holdBack(operation_id: string, forMs = HELD_BACK_MS): void {
    notBefore.set(operation_id, executor.monotonicMs() + forMs)
  }

  function leave({ tool, operation_id }: DueOperation): void {
    const ids = left.get(tool) ?? new Set()
    if (ids.size === 0)
      executor.warn({
        code: 'no_handler',
        message: `operations of ${tool} are left as they are: the dispatcher has no handler for it`,
        operation_id,
      })
    left.set(tool, ids.add(operation_id))
  }
}

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'ledger_missing',
  'ledger_unreadable',
  'ledger_unwritable',
  'busy',
])

/** The ledger itself cannot be used now, whichever operation was asked for; never where this program closed it. */
function isLedgerAway(error: unknown): error is LedgerError {
  return (
    isLedgerError(error) && AWAY.has(error.code) && error.id === undefined && error.facts?.closed !== true
  )
}

/** Null: it may not be sent now. */
async function sendOne(
  executor: Executor,
  { operation_id, task_id, tool: due }: DueOperation,
  { handler, lease_ms }: { readonly handler: DispatchHandler; readonly lease_ms: number },
): Promise<RunOutcome | null> {
  await refuseWhileUnrecorded(executor, task_id)
  if ((await executor.askFirst?.({ operation_id, tool: due })) === 'hold') return null
  // The intent is durable and nobody's own: the epoch is claimed anew by each send, under the task's row.
  const fresh = { ...executor, epochs: new Map() }
  const announced = await announce(fresh, { operation_id, intent: null, rerun: false, lease_ms })
  if (!announced.sent) return null
  const { live } = announced
  const { tool, target, input, timeout_ms } = live.operation
  const told = { operation_id, task_id, tool, target, input }
  return carryOut<unknown>(fresh, { live, timeout_ms, retries: true }, context => handler(told, context))
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {})
}
