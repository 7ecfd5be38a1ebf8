import type { Attempt } from '../../src/core/attempt.js'

const MINUTE = 60_000

/** An attempt that was sent at this time and has told of no end. */
export function openAttempt(n: number, sentAt: number, over: Partial<Attempt> = {}): Attempt {
  return {
    operation_id: 'mail-1',
    n,
    fence: n + 1,
    owner: `host/boot-1/${n}`,
    sent_at: sentAt,
    sent_boot_id: 'boot-1',
    sent_boot_ms: 0,
    send_by: sentAt + MINUTE,
    latest_arrival: sentAt + 16 * MINUTE,
    ended_at: null,
    end: null,
    error: null,
    heartbeat_at: null,
    activity_at: null,
    progress_at: null,
    progress: null,
    ...over,
  }
}
