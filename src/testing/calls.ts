import type { Action, Fault } from './fault.js'

/** One request that reached the service, look-ups included. */
export interface Call {
  /** 1, 2, 3, … over all actions */
  readonly n: number
  /** milliseconds since 1970 UTC */
  readonly at: number
  readonly method: string
  /** path with its query */
  readonly path: string
  readonly key: string | null
  readonly action: Action | null
  readonly faults: readonly Fault['kind'][]
  /** what was sent back; null while it is worked on, or when the connection was cut before an answer */
  readonly status: number | null
}

export interface Calls {
  add(call: Omit<Call, 'n' | 'status'>): number
  answered(n: number, status: number): void
  all(): Call[]
}

export function createCalls(): Calls {
  const calls: Call[] = []
  return {
    add(call) {
      const n = calls.length + 1
      calls.push({ n, ...call, status: null })
      return n
    },
    answered(n, status) {
      const call = calls[n - 1]
      if (call !== undefined) calls[n - 1] = { ...call, status }
    },
    all: () => [...calls],
  }
}
