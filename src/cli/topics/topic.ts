import type { Safe } from '../../core/safe-text.js'

/** Something `agent-ledger help <name>` explains. */
export interface Topic {
  readonly name: string
  readonly text: () => Safe
}
