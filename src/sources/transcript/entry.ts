import type { JsonValue } from '../../core/json.js'

/** One thing a message log says, whichever API it is of. */
export type Entry = CallEntry | ResultEntry | SaidEntry | ApprovalEntry

export interface CallEntry {
  readonly is: 'call'
  /** of the call; null in the oldest form. Some models count from call-1 in every reply */
  readonly id: string | null
  readonly name: string
  readonly input: JsonValue
  /**
   * `client`: the program that wrote the log carries it out. `service`: the model's own service does, and says in the call
   * how it went. `approval`: it waits for a person before it is sent.
   */
  readonly by: 'client' | 'service' | 'approval'
  /** how the service says it went; null where it does not say */
  readonly outcome: { readonly isError: boolean; readonly result: JsonValue } | null
}

export interface ResultEntry {
  readonly is: 'result'
  readonly id: string | null
  /** of the function, where there is no id */
  readonly name: string | null
  readonly result: JsonValue
  /** marked as an error by whoever wrote it */
  readonly isError: boolean
}

/** A person's answer to a call that waited for one. */
export interface ApprovalEntry {
  readonly is: 'approval'
  readonly id: string | null
  readonly approved: boolean
}

export interface SaidEntry {
  readonly is: 'said'
  readonly by: 'agent' | 'person' | 'program'
  readonly text: string
}

/** Entries that were written at once: one message, or the history that a request repeats. */
export interface Batch {
  /** it repeats what was said before: calls in it may be known already */
  readonly isHistory: boolean
  readonly entries: readonly Entry[]
}
