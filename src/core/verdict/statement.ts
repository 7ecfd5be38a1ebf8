import type { Seen } from '../observation.js'
import { type Finding, inconclusive, isAnswered, otherScope, type Sight, type VerdictRule } from './rule.js'

/**
 * The attempts in doubt of which the service itself says for good that they came to nothing. What it said in looks
 * before holds; `all` meant those that were there then.
 */
export function saidOf(sight: Sight): number[] {
  const said = [...sight.earlier, ...sight.latest].filter(seen => otherScope(seen, sight) === null)
  const isNamed = (n: number) => said.some(seen => names(seen, n))
  return sight.doubted.filter(({ n }) => isNamed(n)).map(({ n }) => n)
}

export function saidOfAll(sight: Sight): boolean {
  return sight.doubted.length > 0 && saidOf(sight).length === sight.doubted.length
}

function names(seen: Seen, n: number): boolean {
  if (!isAnswered(seen) || seen.completeness !== 'complete' || seen.grade !== 'A') return false
  return seen.statements.some(({ attempts }) =>
    attempts === 'all' ? n <= seen.seen_attempts : attempts.includes(n),
  )
}

export const finalStatement: VerdictRule = {
  id: 'final_statement',
  title: 'the service itself says for good that every attempt in doubt came to nothing',
  reason:
    'Aborted, never sent, refused for good: a positive and final statement in its own record of the key counts at once, for the attempts it names.',
  judge: sight => {
    if (!saidOfAll(sight)) return null
    const attempts = saidOf(sight)
    return absentUnlessHeld(sight, {
      verdict: 'absent',
      attempts,
      reason: `the service says that ${attemptWords(attempts)} came to nothing`,
    })
  },
}

/** What nothing of the world says against, and the state of the record may: it is not in doubt, or the clocks are. */
export function absentUnlessHeld(
  { operation, clockDoubt }: Sight,
  finding: Finding & { verdict: 'absent' },
): Finding {
  const { status, flags } = operation
  if (status === 'prepared')
    return inconclusive(
      `${finding.reason}, but it waits to be sent again: withdraw it first, then look again`,
    )
  if (status === 'in_flight') return inconclusive('its executor may still send it', { waits_for: 'time' })
  if (flags.contradicted === true)
    return inconclusive(`${finding.reason}, but evidence of both kinds is on file: a person decides`)
  if (clockDoubt)
    return inconclusive('the clock jumped since the last commit: nothing that rests on time is concluded', {
      waits_for: 'time',
    })
  return finding
}

export function attemptWords(attempts: readonly number[]): string {
  return attempts.length === 1 ? `attempt ${attempts[0]}` : `attempts ${attempts.join(', ')}`
}
