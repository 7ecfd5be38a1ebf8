/** How far commits are at one moment, where several run side by side. */
export interface Horizon {
  /** the highest number of an event that can be read */
  readonly last_seq: number
  /** every transaction with a lower number has ended */
  readonly running_from: number
  /** the number that the next transaction gets */
  readonly next: number
}

/** Follows events that are numbered as they are written and not as they are committed, each once. */
export interface Follower {
  /** Begins a look; the events to read are those numbered above what it answers. `horizon`: read before them; null: commits come in the order of the numbers. */
  look(horizon: Horizon | null): number
  /** whether it was not read before */
  isNew(seq: number): boolean
}

/**
 * An event can be overtaken: it has a lower number than one that is committed before it. A transaction that runs now and
 * began after an earlier look has higher numbers than any that could be read then, so what lies below is complete.
 */
export function follower(): Follower {
  let looks: Horizon[] = []
  let from = 0
  let nextFrom = 0
  let seen = new Set<number>()
  return {
    look(horizon) {
      from = nextFrom
      if (horizon === null) return from
      looks.push(horizon)
      const done = looks.findLastIndex(({ next }) => next <= horizon.running_from)
      // A number is taken a moment before its transaction gets one of its own: one look earlier covers that.
      const safe = looks[Math.max(0, done - 1)]
      if (done >= 0 && safe !== undefined) {
        looks = looks.slice(Math.max(0, done - 1))
        nextFrom = Math.max(nextFrom, safe.last_seq)
        seen = new Set([...seen].filter(seq => seq > from))
      } else if (looks.length === 1) nextFrom = Math.max(0, horizon.last_seq - LOOKED_BACK)
      return from
    },
    isNew(seq) {
      if (looks.length === 0) {
        nextFrom = Math.max(nextFrom, seq)
        return true
      }
      if (seen.has(seq)) return false
      if (seq > nextFrom) seen.add(seq)
      return true
    },
  }
}

/** What is being committed when one begins to follow is looked for among so many events, and not in all of history. */
const LOOKED_BACK = 100_000
