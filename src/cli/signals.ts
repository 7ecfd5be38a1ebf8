import { constants } from 'node:os'

/** How long a command told to stop may take to leave things in order before the process ends anyway. */
const GRACE_MS = 5_000

/** Passed on to another program as well; for ourselves they mean what they always mean. */
const PASSED_ON = ['SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type OnSignal = (signal: (typeof PASSED_ON)[number] | (typeof ENDING)[number]) => void

export interface Signals {
  /** resolves to the exit code a shell expects, once a signal told the command to stop: 130, 143, 129 */
  readonly stopped: Promise<number>
  /** Hands every signal to the listener instead, until what it returns is called. */
  readonly takeOver: (listener: OnSignal) => () => void
}

/** 130, 143 or 129 where one of them told the command to stop; else null. */
export function exitCodeOfSignal({ reason }: AbortSignal): number | null {
  const signal = ENDING.find(one => one === reason)
  return signal === undefined ? null : 128 + constants.signals[signal]
}

/**
 * Ctrl-c, SIGTERM and SIGHUP abort `stopping`; a second signal ends the process at once. A command that runs another
 * program takes them over: they are meant for that one.
 */
export function watchSignals(process: NodeJS.Process, stopping: AbortController): Signals {
  let listener: OnSignal | undefined
  const stopped = new Promise<number>(resolve => {
    for (const signal of ENDING) {
      process.on(signal, () => {
        if (listener !== undefined) return listener(signal)
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
  return {
    stopped,
    takeOver: taker => {
      listener = taker
      const passOn = (signal: NodeJS.Signals) => {
        const passed = PASSED_ON.find(one => one === signal)
        if (passed !== undefined) taker(passed)
      }
      for (const signal of PASSED_ON) process.on(signal, passOn)
      return () => {
        listener = undefined
        for (const signal of PASSED_ON) process.off(signal, passOn)
      }
    },
  }
}
