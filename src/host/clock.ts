import { uptime } from 'node:os'
import type { Stamp } from '../core/time.js'
import { readText } from './proc.js'

/**
 * The machine's clock. On Linux `boot_id` is the kernel's and `boot_ms` counts through suspend (/proc/uptime is
 * CLOCK_BOOTTIME, see proc_uptime(5)); elsewhere `boot_id` is empty and wall time stands alone.
 */
export function systemClock(): () => Stamp {
  const boot_id = bootId()
  if (boot_id === '') return () => ({ at: Date.now(), boot_id, boot_ms: 0 })
  let last = reading()
  let boot_ms = last.boot_ms
  return () => {
    const at = Date.now()
    const passed = monotonicMs() - last.monotonic_ms
    if (passed > READING_LASTS_MS || Math.abs(at - last.at - passed) > STRAY_MS) last = reading()
    // Readings are in hundredths of a second: a new one may seem to be a little earlier.
    boot_ms = Math.max(boot_ms, Math.round(last.boot_ms + monotonicMs() - last.monotonic_ms))
    return { at, boot_id, boot_ms }
  }
}

// Reading the boot clock opens a file, 15 µs each time, and a guarded operation asks four times. Between readings
// the monotonic clock carries it on. That one stands still in suspend, and then wall time has run away from it.
const READING_LASTS_MS = 1_000
const STRAY_MS = 20

function reading() {
  return { at: Date.now(), monotonic_ms: monotonicMs(), boot_ms: Math.round(uptime() * 1000) }
}

/** Milliseconds that only grow, for spans inside this process; the last look before the first byte. */
export function monotonicMs(): number {
  // `performance` would load a module of its own, a hundredth of what a list takes
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1_000_000
}

export const BOOT_ID_LENGTH = 13

/**
 * The beginning of the kernel's name for this boot, `3f1c0a52-9e77`; empty where there is none. Each operation keeps it
 * six times: 48 random bits tell the boots of a machine apart as well as 122 do.
 */
export function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim().slice(0, BOOT_ID_LENGTH)
}
