import { constants } from 'node:os'

/** How long a command told to stop may take to leave things in order before the process ends anyway. */
const GRACE_MS = 5_000

/**
 * Ctrl-c, SIGTERM and SIGHUP abort `stopping` and resolve to the exit code a shell expects: 130, 143, 129. A second
 * signal ends the process at once.
 */
export function untilSignal(process: NodeJS.Process, stopping: AbortController): Promise<number> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        const code = 128 + constants.signals[signal]
        if (stopping.signal.aborted) process.exit(code)
        stopping.abort(signal)
        // Whoever waits for a line of input is not made to wait for it any longer.
        process.stdin.destroy()
        setTimeout(() => process.exit(code), GRACE_MS).unref()
        resolve(code)
      })
    }
  })
}
