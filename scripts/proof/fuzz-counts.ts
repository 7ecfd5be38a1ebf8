import type { Outcome } from '../../test/sources/damage.js'

/** What became of a batch of damaged inputs. */
export interface Counts extends Readonly<Record<Outcome, number>> {
  /** the most that its process held, in megabytes */
  readonly memory: number
  /** of the input that took longest */
  readonly slowest: { readonly seed: number; readonly ms: number }
}

export const NO_COUNTS: Counts = { read: 0, refused: 0, memory: 0, slowest: { seed: 0, ms: 0 } }

export function added(one: Counts, other: Counts): Counts {
  return {
    read: one.read + other.read,
    refused: one.refused + other.refused,
    memory: Math.max(one.memory, other.memory),
    slowest: one.slowest.ms >= other.slowest.ms ? one.slowest : other.slowest,
  }
}
