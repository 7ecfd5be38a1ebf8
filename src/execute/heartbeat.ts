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
  schedule()
  return { renew, stop }

  async function renew(): Promise<Hold> {
    if (isStopped || !last.held) return last
    const asked_ms = executor.monotonicMs()
    try {
      const answer = await signalOf(executor, live, {
        kind: 'heartbeat',
        ...(lease_ms === null ? {} : { lease_ms }),
      })
      if (answer.held) {
        last = { held: true, cancel_requested: answer.cancel_requested }
        if (lease_ms !== null) validUntil = asked_ms + lease_ms
        schedule()
      } else {
        lost(answer.reason)
      }
    } catch {
      // The ledger cannot be written now: the lease runs on, and the next turn tries again.
      schedule()
    }
    return last
  }

  function schedule(): void {
    clear()
    if (isStopped || !last.held || lease_ms === null) return
    const left = validUntil - executor.monotonicMs()
    renewing = setTimeout(() => void renew(), Math.max(1, Math.min(lease_ms * RENEW_AFTER_PART, left)))
    lapsing = setTimeout(lapse, Math.max(0, left))
    renewing.unref()
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
  signal: Pick<Signal, 'kind' | 'progress' | 'lease_ms'>,
): Promise<Signalled> {
  const { operation_id } = operation
  return store.signal({
    ...signal,
    subject: { operation_id, attempt: attempt.n, fence: attempt.fence },
    now: clock(),
  })
}
