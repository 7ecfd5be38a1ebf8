/**
 * One reading of the machine's two clocks. Wall time can jump; the boot clock counts from boot, through
 * suspend, and says nothing across boots or machines.
 */
export interface Stamp {
  /** wall time, milliseconds since 1970 UTC */
  readonly at: number
  /** names this boot of this machine; empty where the system cannot say */
  readonly boot_id: string
  /** milliseconds since that boot */
  readonly boot_ms: number
}

/** A jump between the two clocks below this is drift and slewing, above it one of them was set. */
export const CLOCK_TOLERANCE_MS = 60_000

/** Time passed by the clock that says less: for ages that permit (settle window, arrival, retry time, lease). */
export function elapsedAtLeast(since: Stamp, now: Stamp): number {
  const byWall = now.at - since.at
  return isSameBoot(since, now) ? Math.min(byWall, now.boot_ms - since.boot_ms) : byWall
}

/** Time passed by the clock that says more: for ages that forbid (key retention, approval, send_by). */
export function elapsedAtMost(since: Stamp, now: Stamp): number {
  const byWall = now.at - since.at
  return isSameBoot(since, now) ? Math.max(byWall, now.boot_ms - since.boot_ms) : byWall
}

/** True when the clocks disagree about the time since `since`, or wall time ran backwards over a boot. */
export function isClockDoubtful(since: Stamp, now: Stamp): boolean {
  const byWall = now.at - since.at
  if (!isSameBoot(since, now)) return byWall < 0
  return Math.abs(byWall - (now.boot_ms - since.boot_ms)) > CLOCK_TOLERANCE_MS
}

function isSameBoot(a: Stamp, b: Stamp): boolean {
  return a.boot_id !== '' && a.boot_id === b.boot_id
}
