import type { Outcome } from '../../test/sources/damage.js'

/** What became of a batch of damaged inputs; `memory` is the most that its process held, in megabytes. */
export type Counts = Readonly<Record<Outcome | 'memory', number>>

export const NO_COUNTS: Counts = { read: 0, refused: 0, memory: 0 }
