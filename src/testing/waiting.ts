import { type Fault, pick } from './fault.js'

/** Calls that a `delay` holds. */
export interface Waiting {
  /** resolves after the delays of this stage; never again once `end` was called */
  wait(faults: readonly Fault[], stage: 'request' | 'response'): Promise<void>
  /** lets go all that wait without a time */
  release(): void
  /** forgets all that wait */
  end(): void
}

export function createWaiting(): Waiting {
  const held = new Set<() => void>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    async wait(faults, stage) {
      for (const { ms } of pick(faults, 'delay').filter(fault => fault.stage === stage)) {
        await (ms === undefined ? untilReleased() : timePassed(ms))
      }
    },
    release() {
      for (const go of held) go()
      held.clear()
    },
    end() {
      held.clear()
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }

  function untilReleased(): Promise<void> {
    return new Promise(resolve => held.add(resolve))
  }

  function timePassed(ms: number): Promise<void> {
    return new Promise(resolve => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })
  }
}
