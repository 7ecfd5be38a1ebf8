import type { Stamp } from '../core/time.js'

/** A clock that stands still until it is told otherwise; pass it where a clock is asked for. */
export interface TestClock {
  (): Stamp
  /** time passes on both clocks */
  advance(ms: number): void
  /** somebody sets the wall clock; the boot clock does not notice */
  setWall(at: number): void
  /** another boot of the machine: its clock begins again */
  reboot(): void
}

/** Starts at `at` (milliseconds since 1970 UTC), an hour after its first boot. */
export function testClock(at: number = Date.UTC(2026, 0, 1)): TestClock {
  let now = { at, boot: 1, boot_ms: 3_600_000 }
  const read = (): Stamp => ({ at: now.at, boot_id: `test-boot-${now.boot}`, boot_ms: now.boot_ms })
  return Object.assign(read, {
    advance: (ms: number) => {
      now = { ...now, at: now.at + ms, boot_ms: now.boot_ms + ms }
    },
    setWall: (wall: number) => {
      now = { ...now, at: wall }
    },
    reboot: () => {
      now = { ...now, boot: now.boot + 1, boot_ms: 0 }
    },
  })
}
