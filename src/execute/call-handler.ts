import type { ExternalId } from '../core/operation.js'
import type { Live } from './announce.js'
import type { Executor } from './executor.js'
import { type Handler, handlerContext } from './handler.js'
import { keepLease } from './heartbeat.js'

export type Settled<T> =
  | { readonly kind: 'returned'; readonly value: T }
  | { readonly kind: 'threw'; readonly thrown: unknown }

/** How a handler's run went, before it is made into the end of an attempt. */
export interface Called<T> {
  /** null: its time was up, and it did not stop; what it brings later is late evidence */
  readonly settled: Settled<T> | null
  /** settles when the handler does; never rejects */
  readonly later: Promise<Settled<T>>
  /** objects the handler named so far; the list grows while it runs */
  readonly external_ids: readonly ExternalId[]
  /** why it was told to stop; null where it was not */
  readonly stopped: Stopped | null
}

export interface Stopped {
  readonly rule: 'timeout' | 'hold_lost'
  readonly message: string
}

/** After its time is up, a handler has this long to say how it ended before its answer counts as lost. */
const STOP_GRACE_MS = 250

/**
 * Runs the handler under its lease and its time limit; never rejects. When the lease is lost the handler is told
 * to stop and waited for: what it brings still counts while nobody else took the operation.
 */
export async function callHandler<T>(
  executor: Executor,
  { live, timeout_ms }: { readonly live: Live; readonly timeout_ms: number | null },
  handler: Handler<T>,
): Promise<Called<T>> {
  const aborting = new AbortController()
  let stopped: Stopped | null = null
  const stop = (why: Stopped) => {
    stopped ??= why
    aborting.abort(new DOMException(why.message, why.rule === 'timeout' ? 'TimeoutError' : 'AbortError'))
  }
  const { operation_id } = live.operation
  const onLost = (why: string) => {
    stop({ rule: 'hold_lost', message: why })
    executor.watch?.leaseLost(live.operation, why)
    executor.warn({
      code: 'hold_lost',
      message: `${operation_id}: ${why}; its handler was told to stop`,
      operation_id,
    })
  }
  const keeper = keepLease(executor, live, { onLost })
  const external_ids: ExternalId[] = []
  const context = handlerContext(executor, { live, keeper, aborting, external_ids })
  const { watch } = executor
  const call = () => handler(context)
  const attempt = { operation_id, attempt: live.attempt.n }
  const later = settle(() => (watch === undefined ? call() : watch.during(attempt, call)))
  const limit =
    timeout_ms === null
      ? null
      : timeLimit(timeout_ms, () => {
          stop({ rule: 'timeout', message: `the handler gave no answer within ${timeout_ms} ms` })
        })
  const settled = await (limit === null ? later : Promise.race([later, limit.passed]))
  limit?.clear()
  keeper.stop()
  return { settled, later, external_ids, stopped }
}

async function settle<T>(call: () => T | Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'returned', value: await call() }
  } catch (thrown) {
    return { kind: 'threw', thrown }
  }
}

/** `passed` resolves to null a little after the limit. Its timers keep the process alive: the end must be recorded. */
function timeLimit(limitMs: number, onPassed: () => void) {
  let timer: NodeJS.Timeout | undefined
  const passed = new Promise<null>(resolve => {
    timer = setTimeout(() => {
      onPassed()
      timer = setTimeout(() => resolve(null), STOP_GRACE_MS)
    }, limitMs)
  })
  return { passed, clear: () => clearTimeout(timer) }
}
