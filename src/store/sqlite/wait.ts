import { setTimeout as sleep } from 'node:timers/promises'
import { LedgerError } from '../../core/errors.js'
import { isBusy } from './errors.js'

/**
 * Tries until nobody else holds the lock, for at most `waitMs`; then `busy`. SQLite's own busy handler
 * sleeps up to 100 ms between tries and lets whoever is awake win: of 8 processes writing without pause
 * one got 1 operation in 3 s. Short uneven pauses keep them all going (longest wait then: 0.2 s).
 */
export async function untilFree<T>(wait: LockWait, attempt: () => T): Promise<T> {
  const tried = tryOnce(attempt)
  if (tried.isDone) return tried.value
  const patience = AbortSignal.timeout(wait.waitMs)
  for (let tries = 1; ; tries++) {
    await sleep(pauseMs(tries))
    const again = tryOnce(attempt)
    if (again.isDone) return again.value
    if (patience.aborted) throw stillLocked(wait, again.cause)
  }
}

export interface LockWait {
  readonly path: string
  readonly waitMs: number
}

type Tried<T> =
  | { readonly isDone: true; readonly value: T }
  | { readonly isDone: false; readonly cause: unknown }

function tryOnce<T>(attempt: () => T): Tried<T> {
  try {
    return { isDone: true, value: attempt() }
  } catch (error) {
    if (isBusy(error)) return { isDone: false, cause: error }
    throw error
  }
}

/** Uneven, so that processes do not wake in step; growing a little, so that many leave the CPU to the holder. */
function pauseMs(tries: number): number {
  return 0.3 + Math.random() * Math.min(2.7, 0.7 + tries * 0.1)
}

function stillLocked(wait: LockWait, cause: unknown): LedgerError {
  return new LedgerError(
    'busy',
    `${wait.path} stayed locked by another process for ${wait.waitMs} ms; nothing was written`,
    { path: wait.path, cause },
  )
}
