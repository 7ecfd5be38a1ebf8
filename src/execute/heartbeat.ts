import { RENEW_AFTER_PART } from '../core/lease.js'
import type { Signal, Signalled } from '../store/store.js'
import type { Live } from './announce.js'
import type { Executor } from './executor.js'

/** What an executor learns by a sign of life. */
export interface Hold {
  /** false: the lease lapsed or somebody else holds the operation now; stop */
  readonly held: boolean
  /** a person asked to cancel it: no further attempt will follow */
  readonly cancel_requested: boolean
}

export interface Keeper {
  /** renews the lease now */
  renew(): Promise<Hold>
  stop(): void
}

/**
 * Keeps the lease of one sending while its handler runs: renewed at a third, by timers that keep no process alive.
 * A lapsed lease is never renewed; `onLost` is called once, and what the handler brings afterwards still counts
 * while nobody else took the operation.
 */
export function keepLease(
  executor: Executor,
  live: Live,
  { onLost }: { readonly onLost: (why: string) => void },
): Keeper {
  const { lease_ms } = live
  let last: Hold = { held: true, cancel_requested: false }
  let isStopped = false
  let validUntil = lease_ms === null ? Infinity : live.began.monotonic_ms + lease_ms
  let renewing: NodeJS.Timeout | undefined
  let lapsing: NodeJS.Timeout | undefined
  renewLater()
  return { renew, stop }

  async function renew(): Promise<Hold> {
    const asked_ms = executor.monotonicMs()
    if (asked_ms >= validUntil) lapse()
    // Its outcome is on record: a handler that was given up and asks on must not take itself for the holder.
    if (isStopped) return { ...last, held: false }
    if (!last.held) return last
    watchEnd() // before the first renewal nothing can lapse unseen
    try {
      const answer = await signalOf(executor, live, {
        kind: 'heartbeat',
        ...(lease_ms === null ? {} : { lease_ms }),
      })
      if (answer.held) prolong(asked_ms, answer.cancel_requested)
      else lost(answer.reason)
    } catch {
      // The ledger cannot be written now: the lease runs on towards its end, and the next turn tries again.
    }
    renewLater()
    return last
  }

  function prolong(asked_ms: number, cancel_requested: boolean): void {
    if (isStopped || !last.held) return
    last = { held: true, cancel_requested }
    if (lease_ms === null) return
    validUntil = asked_ms + lease_ms
    watchEnd()
  }

  function renewLater(): void {
    clearTimeout(renewing)
    if (isStopped || !last.held || lease_ms === null) return
    renewing = setTimeout(() => void renew(), lease_ms * RENEW_AFTER_PART)
    renewing.unref()
  }

  function watchEnd(): void {
    clearTimeout(lapsing)
    if (lease_ms === null) return
    lapsing = setTimeout(lapse, Math.max(0, validUntil - executor.monotonicMs()))
    lapsing.unref()
  }

  function lapse(): void {
    lost(`the lease of ${live.operation.operation_id} could not be renewed and lapsed`)
  }

  function lost(why: string): void {
    if (isStopped || !last.held) return
    last = { ...last, held: false }
    clear()
    onLost(why)
  }

  function clear(): void {
    clearTimeout(renewing)
    clearTimeout(lapsing)
  }

  function stop(): void {
    isStopped = true
    clear()
  }
}

/** A sign of life of one sending; outside the chain and the version. */
export function signalOf(
  { store, clock }: Executor,
  { operation, attempt }: Live,
  signal: Pick<Signal, 'kind' | 'progress' | 'lease_ms' | 'action'>,
): Promise<Signalled> {
  const { operation_id } = operation
  return store.signal({
    ...signal,
    subject: { operation_id, attempt: attempt.n, fence: attempt.fence },
    clock,
  })
}
