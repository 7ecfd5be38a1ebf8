import type { Stamp } from '../core/time.js'

/**
 * Since when a supervisor could write the ledger at every look, by clocks that agree. What gave no sign of life while
 * nobody could give one is not dead: a ledger that was down, a machine that slept and a clock that was set are waited
 * out for one lease.
 */
export interface Trust {
  /** this look went well */
  looked(now: Stamp): void
  /** the ledger could not be reached or written */
  failed(): void
  /** null: not at all */
  since(): number | null
}

/** Looks further apart than this many intervals had a pause between them. */
const MISSED = 3
/** Less is drift. */
const CLOCK_STEP_MS = 5_000

export function createTrust({ everyMs }: { readonly everyMs: number }): Trust {
  let since: Stamp | null = null
  let last: Stamp | null = null
  return {
    looked: now => {
      if (since === null || last === null || hasBroken(last, now, everyMs)) since = now
      last = now
    },
    failed: () => {
      since = null
      last = null
    },
    since: () => since?.at ?? null,
  }
}

function hasBroken(last: Stamp, now: Stamp, everyMs: number): boolean {
  const byWall = now.at - last.at
  if (byWall < 0 || byWall > everyMs * MISSED + CLOCK_STEP_MS) return true
  if (last.boot_id === '' || last.boot_id !== now.boot_id) return false
  return Math.abs(byWall - (now.boot_ms - last.boot_ms)) > CLOCK_STEP_MS
}
