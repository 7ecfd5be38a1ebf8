import type { CheckDocument } from '../../core/documents/check.js'

/** What a gate found, and what a renderer needs beside it. */
export interface CheckToTell {
  readonly check: CheckDocument
  /** as a person types it */
  readonly ledger: string
  /** the same as a URI reference, for tools that show findings beside files */
  readonly uri: string
  /** milliseconds since 1970 UTC */
  readonly now: number
  /** of agent-ledger */
  readonly version: string
  /** a text of others, masked and made harmless for a line */
  readonly show: (text: string) => string
}
