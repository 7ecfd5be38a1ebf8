import type { TimeGiven } from '../core/iso-time.js'

/** The moment a person names, counted back from now where they gave a span: `--since 2h` is two hours ago. */
export function pastMoment(given: TimeGiven, now: number): number {
  return given.kind === 'at' ? given.at : now - given.spanMs
}
