import type { Match } from '../observation.js'
import { isForeign, isMarked } from './found.js'
import type { AnsweredSeen, Sight } from './rule.js'

/**
 * A whole answer in which nothing of ours stands; what was asked about a task only says nothing of objects. In a list
 * what looks alike and is another operation's is nothing to us; under our own name it may have been written over ours.
 */
export function isSilent(seen: AnsweredSeen, sight: Sight): boolean {
  const isNothing = (match: Match) =>
    seen.grade === 'C' &&
    match.differs === undefined &&
    !isMarked({ match, seen }) &&
    isForeign({ match, seen }, sight)
  return (
    seen.completeness === 'complete' &&
    seen.statements.length === 0 &&
    seen.remote === null &&
    seen.matches.every(isNothing)
  )
}
