import type { Safe } from '../../core/safe-text.js'

/** One row of the screen. Its colour stands beside a word that says the same. */
export interface Line {
  readonly text: Safe
  readonly tone: Tone
}

export type Tone = 'plain' | 'title' | 'dim' | 'doubt' | 'alarm' | 'busy' | 'selected'

export function line(text: Safe, tone: Tone = 'plain'): Line {
  return { text, tone }
}
