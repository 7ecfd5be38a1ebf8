import type { TimeGiven } from '../../core/iso-time.js'
import type { Deps } from '../deps.js'

/** A time as it stands, or a span counted from now; milliseconds since 1970 UTC. */
export function untilGiven(given: TimeGiven, { now }: Pick<Deps, 'now'>): number {
  return given.kind === 'at' ? given.at : now + given.spanMs
}
