import { type Attempt, firstSent, hasArrivalPassed } from '../attempt.js'
import { formatAge, formatDuration } from '../duration.js'
import { elapsedAtLeast, elapsedAtMost, type Stamp } from '../time.js'
import {
  type AnsweredSeen,
  type Finding,
  inconclusive,
  isAnswered,
  otherScope,
  type Sight,
  type VerdictRule,
} from './rule.js'
import { isSilent } from './silent.js'
import { absentUnlessHeld, attemptWords, saidOf } from './statement.js'

export const askedElsewhere: VerdictRule = {
  id: 'asked_elsewhere',
  title: 'it was asked in another session, account or region than the one that made it',
  reason: 'What is not there was never looked for where it would be: asked elsewhere is not asked.',
  judge: sight => {
    const [seen] = sight.elsewhere
    if (seen === undefined) return null
    return inconclusive(
      `asked in another session or scope (${seen.scope}) than the one that made it (${otherScope(seen, sight)})`,
    )
  },
}

export const notAnswered: VerdictRule = {
  id: 'not_answered',
  title: 'a source did not answer, or not with everything',
  reason:
    'Refused, rate limited, timed out, cut off: an unreachable service is not an absent object, and a page that is missing may be the one.',
  judge: ({ latest, now }) => {
    const missing = latest.find(({ completeness }) => completeness !== 'complete')
    if (latest.length === 0) return inconclusive('nothing was asked')
    if (missing === undefined || missing.completeness === 'complete') return null
    const what =
      missing.completeness === 'failed' ? 'it could not be asked' : 'the answer is not all there is'
    const wait = missing.completeness === 'failed' ? missing.retry_after_ms : null
    return inconclusive(`${what}: ${missing.why}`, {
      waits_for: 'time',
      next_look_at: wait === null ? null : now.at + wait,
    })
  },
}

export const someCameToNothing: VerdictRule = {
  id: 'some_came_to_nothing',
  title: 'the service says for good of some attempts that they came to nothing',
  reason: 'Such a statement counts for the attempts it names. The others stay in doubt.',
  judge: sight => {
    const said = saidOf(sight)
    if (said.length === 0 || said.length === sight.doubted.length) return null
    if (sight.operation.status !== 'unknown') return null
    return {
      verdict: 'not_applied',
      attempts: said,
      reason: `the service says that ${attemptWords(said)} came to nothing; the others are still in doubt`,
    }
  },
}

export const provedAbsent: VerdictRule = {
  id: 'proved_absent',
  title: 'it was looked for often enough, late enough and everywhere, and it is not there',
  reason:
    'No match proves absence only by complete reads that start after every attempt has run out of time to arrive and the source of its lag, with what holds the object readable in the same way: at least two, spaced. A search never proves it, nor a record that is kept too short a time, nor anything but time that went by.',
  judge: sight => {
    const left = sight.doubted
    if (left.length === 0)
      return inconclusive('no attempt is in doubt by its own record: a person decides how it is settled')
    const judged = sight.answers
      .filter(seen => isSilent(seen, sight))
      .map(seen => ({ seen, ...weigh(sight, seen, left) }))
    const proof = judged.find(({ obstacle }) => obstacle === null)
    if (proof === undefined) return best(judged.flatMap(({ obstacle }) => obstacle ?? []))
    const { reads } = proof
    return absentUnlessHeld(sight, {
      verdict: 'absent',
      attempts: left.map(({ n }) => n),
      reason: `${reads} complete reads after the last moment it could arrive, and it is not there`,
    })
  },
}

interface Obstacle {
  readonly reason: string
  readonly waits_for: 'time' | 'person'
  readonly next_look_at: number | null
}

/** The obstacle that time removes soonest, before those that only a person can. */
function best(obstacles: readonly Obstacle[]): Finding {
  const byTime = obstacles
    .filter(({ waits_for }) => waits_for === 'time')
    .sort((a, b) => (a.next_look_at ?? 0) - (b.next_look_at ?? 0))
  const chosen = byTime[0] ?? obstacles[0]
  if (chosen === undefined) return inconclusive('no source that could prove absence was asked')
  return inconclusive(chosen.reason, chosen)
}

function weigh(
  sight: Sight,
  seen: AnsweredSeen,
  left: readonly Attempt[],
): { readonly obstacle: Obstacle | null; readonly reads: number } {
  const never = neverProves(sight, seen, left)
  if (never !== null) return { obstacle: forPerson(never), reads: 0 }
  const counted = countedReads(sight, seen)
  const { reads: wanted, spacing_ms, settle_ms } = seen.terms
  if (counted.length >= wanted) return { obstacle: null, reads: counted.length }
  const last = counted.at(-1)
  if (last === undefined) return { obstacle: tooEarly(seen, left, settle_ms), reads: 0 }
  const reason = `it is not there, by ${counted.length} of ${wanted} complete reads: look again`
  return {
    obstacle: { reason, waits_for: 'time', next_look_at: last.started.at + spacing_ms },
    reads: counted.length,
  }
}

/** Why this source can prove nothing however often it is asked; null where it can. */
function neverProves(sight: Sight, seen: AnsweredSeen, left: readonly Attempt[]) {
  const { grade, parent, terms, started } = seen
  if (grade === 'D') return 'a search does not prove absence'
  if (left.some(({ latest_arrival }) => latest_arrival === null))
    return 'how long a request may still arrive is not bounded: absence can never be proven'
  if (terms.keeps_ms !== null) {
    const age = Math.max(...left.map(attempt => elapsedAtMost(sentOf(attempt), started)))
    if (age >= terms.keeps_ms)
      return `the source keeps ${formatAge(terms.keeps_ms)}, the action is ${formatAge(age)} old: it cannot tell any more`
  }
  if (grade === 'A' && isKeyForgotten(sight, seen)) return 'the service may have forgotten the key'
  if (parent === 'unreadable')
    return 'what holds it cannot be read with this credential: nothing there may be hidden'
  return parent === 'not_asked'
    ? 'nothing was found, which proves nothing: whether this credential could see it was not asked (the probe names no parent)'
    : null
}

/** By the clock that says more: an answer that comes after the key is forgotten says nothing of it. */
function isKeyForgotten({ operation, attempts }: Sight, { started, observed_at }: AnsweredSeen): boolean {
  const { key_first_used_at, key_retention_ms } = operation
  if (key_first_used_at === null || key_retention_ms === null) return true
  const first = firstSent(attempts) ?? { at: key_first_used_at, boot_id: '', boot_ms: 0 }
  const age = Math.max(elapsedAtMost(first, started), started.at - key_first_used_at)
  return age + (observed_at - started.at) >= key_retention_ms
}

/** The reads of this source that count: silent, late enough, whole, of the operation as it stands, and spaced. */
function countedReads(sight: Sight, { source, terms }: AnsweredSeen) {
  const { operation } = sight
  const counted: AnsweredSeen[] = []
  for (const seen of [...sight.earlier, ...sight.latest]) {
    if (seen.source !== source || !isAnswered(seen) || !isSilent(seen, sight)) continue
    if (otherScope(seen, sight) !== null) continue
    if (seen.seen_attempts !== operation.attempt || seen.seen_version !== operation.version) continue
    if (!isLateEnough(sight, seen)) continue
    const last = counted.at(-1)
    if (last !== undefined && elapsedAtLeast(last.started, seen.started) < terms.spacing_ms) continue
    counted.push(seen)
  }
  return counted
}

/** Would the silence of this reading count towards an absence? */
export function isLateEnough(sight: Sight, seen: AnsweredSeen): boolean {
  const left = sight.doubted
  return (
    left.length > 0 &&
    neverProves(sight, seen, left) === null &&
    left.every(attempt => isPastArrival(attempt, seen.started, seen.terms.settle_ms))
  )
}

function isPastArrival(attempt: Attempt, started: Stamp, settleMs: number): boolean {
  const { latest_arrival } = attempt
  return hasArrivalPassed(
    { ...attempt, latest_arrival: latest_arrival === null ? null : latest_arrival + settleMs },
    started,
  )
}

function tooEarly({ started }: AnsweredSeen, left: readonly Attempt[], settleMs: number): Obstacle {
  const from = Math.max(...left.map(({ latest_arrival }) => latest_arrival ?? 0)) + settleMs
  const began = Math.max(...left.map(({ ended_at, sent_at }) => ended_at ?? sent_at))
  const missing = Math.max(1, ...left.map(attempt => untilPast(attempt, started, settleMs)))
  const whole = Math.max(from - began, missing)
  return {
    reason: `too early to believe an absence (${partOf(whole, whole - missing)})`,
    waits_for: 'time',
    // by the clock that says less it may take a little longer
    next_look_at: Math.max(from + 1, started.at < from ? 0 : started.at + 1_000),
  }
}

/** What is missing of its wait, by the clock that says less. */
function untilPast(attempt: Attempt, started: Stamp, settleMs: number): number {
  const wait = (attempt.latest_arrival ?? 0) + settleMs - attempt.sent_at
  return wait - elapsedAtLeast(sentOf(attempt), started)
}

/** A part never reads like the whole: where ages would, both are told to the second. */
function partOf(wholeMs: number, partMs: number): string {
  const [part, whole] = [formatAge(partMs), formatAge(wholeMs)]
  if (part !== whole) return `${part} of ${whole}`
  const seconds = [Math.floor(partMs / 1_000), Math.ceil(wholeMs / 1_000)]
  return seconds.map(count => formatDuration(count * 1_000)).join(' of ')
}

function sentOf({ sent_at, sent_boot_id, sent_boot_ms }: Attempt): Stamp {
  return { at: sent_at, boot_id: sent_boot_id, boot_ms: sent_boot_ms }
}

function forPerson(reason: string): Obstacle {
  return { reason, waits_for: 'person', next_look_at: null }
}
