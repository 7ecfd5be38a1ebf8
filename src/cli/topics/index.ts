import type { Safe } from '../../core/safe-text.js'
import { environmentTopic } from './environment.js'
import { exitCodesTopic } from './exit-codes.js'
import { formattingTopic } from './formatting.js'
import { statesTopic } from './states.js'

/** Something `agent-ledger help <name>` explains. */
export interface Topic {
  readonly name: string
  readonly summary: string
  readonly text: () => Safe
}

export const TOPICS: readonly Topic[] = [exitCodesTopic, environmentTopic, formattingTopic, statesTopic]
