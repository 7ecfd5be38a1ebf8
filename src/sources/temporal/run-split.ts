import type { Entry } from './entries.js'
import type { HistoryEvent } from './event.js'

/** Says which run of the file an event belongs to: 0, 1, 2, …. The same entries give the same numbers again. */
export interface RunSplit {
  runOf(entry: Entry & { readonly kind: 'event' }): number
  /** A document is over: what follows it may be its next page. */
  end(entry: Entry & { readonly kind: 'end' }): void
}

/**
 * A history is a document of its own, or the next page of the one before. Events without a document (a bare array, one a
 * line) begin a new run where a workflow starts, or, in descending order, after one has started.
 */
export function splitRuns(): RunSplit {
  let run = -1
  let document: string | null | undefined
  let hasMore = false
  let [last, least, most, count, step] = [0, 0, 0, 0, 0]
  return {
    runOf({ event, document: own }) {
      const { id } = event
      const isNew =
        document === undefined ||
        (own === document
          ? own === null && isAnother(event)
          : !(hasMore && (id === most + 1 || id === least - 1)))
      if (isNew) run += 1
      if (isNew || own !== document) hasMore = false
      document = own
      count = isNew ? 1 : count + 1
      step = isNew ? 0 : id - last
      least = isNew ? id : Math.min(least, id)
      most = isNew ? id : Math.max(most, id)
      last = id
      return run
    },
    end(entry) {
      hasMore = entry.hasMore
    },
  }

  function isAnother({ id, type }: HistoryEvent): boolean {
    const isDescending = step < 0 || (count === 1 && last === 2)
    if (id === 1 && type === 'WORKFLOW_EXECUTION_STARTED') return !isDescending
    return isDescending && least === 1
  }
}
