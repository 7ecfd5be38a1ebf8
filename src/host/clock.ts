import { uptime } from 'node:os'
import type { Stamp } from '../core/time.js'
import { readText } from './proc.js'

/**
 * The machine's clock. On Linux `boot_id` is the kernel's and `boot_ms` counts through suspend (/proc/uptime is
 * CLOCK_BOOTTIME, see proc_uptime(5)); elsewhere `boot_id` is empty and wall time stands alone.
 */
export function systemClock(): () => Stamp {
  const boot_id = bootId()
  return () => ({ at: Date.now(), boot_id, boot_ms: boot_id === '' ? 0 : Math.round(uptime() * 1000) })
}

/** Milliseconds that only grow, for spans inside this process; the last look before the first byte. */
export function monotonicMs(): number {
  return performance.now()
}

/** The kernel's name for this boot; empty where there is none. */
export function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim()
}
