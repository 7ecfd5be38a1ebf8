import type { Grade, Match, Observed, ReadTerms, Seen } from '../../../src/core/observation.js'
import type { ExternalId } from '../../../src/core/operation.js'
import { NOON } from '../builders.js'
import {
  ARRIVAL_MS,
  aMatch,
  anId,
  aReading,
  MINUTE,
  NOT_REACHED,
  RETENTION_MS,
  SETTLE_MS,
  SPACING_MS,
  whole,
} from './builders.js'

/** What truly became of each sending: nothing, an effect at once, or one at the last moment it could arrive. */
export const EFFECTS = ['none', 'early', 'late'] as const
export type Effect = (typeof EFFECTS)[number]

export interface World {
  readonly effects: readonly Effect[]
  /** each arrival makes two objects */
  readonly doubles: boolean
  /** how long the list lags behind: not at all, or all the time it may */
  readonly lagMs: number
}

const SECOND_SENT = 5 * MINUTE
export const sentAt = (n: number) => NOON + (n - 1) * SECOND_SENT
export const lastArrival = ({ effects }: World) => sentAt(effects.length) + ARRIVAL_MS

/** When each object appears, by the attempt that made it. */
export function objectsOf({ effects, doubles }: World): { readonly id: ExternalId; readonly at: number }[] {
  return effects.flatMap((effect, i) => {
    if (effect === 'none') return []
    const at = sentAt(i + 1) + (effect === 'early' ? 1_000 : ARRIVAL_MS)
    const one = { id: anId(`T-${i + 1}`), at }
    return doubles ? [one, { id: anId(`T-${i + 1}b`), at }] : [one]
  })
}

/** How a source answers. Only `honest` tells all it has; the others fail, hide, or add what is not ours. */
export const MOODS = [
  'honest',
  'fails',
  'partial',
  'hides',
  'no_parent',
  'elsewhere',
  'look_alike',
  'same_content',
  'of_another',
  'another_by_name',
  'states',
  'lies_by_silence',
] as const
export type Mood = (typeof MOODS)[number]

export interface Source {
  readonly grade: Grade
  readonly keepsMs: number | null
}

const STRANGER = anId('T-99')
export const boundTo = ({ value }: ExternalId) => (value === STRANGER.value ? 'ticket-99' : null)

const SETTLES: Readonly<Record<Grade, number>> = { A: 0, B: 0, C: SETTLE_MS, D: SETTLE_MS }

/** One reading of the world. `forgets`: the objects that were deleted since the look before. */
export function read(
  world: World,
  { source, mood, at, forgets }: { source: Source; mood: Mood; at: number; forgets: boolean },
): Seen {
  const scope = mood === 'elsewhere' ? 'session-B' : 'session-A'
  return reading(world, { source, at, scope }, observed(world, { source, mood, at, forgets }))
}

/** What a source was seen to answer, true or not. */
export function reading(
  world: World,
  { source, at, scope = 'session-A' }: { source: Source; at: number; scope?: string },
  answer: Observed,
): Seen {
  const { grade, keepsMs } = source
  const terms: ReadTerms = {
    settle_ms: SETTLES[grade],
    reads: 2,
    spacing_ms: SPACING_MS,
    keeps_ms: keepsMs,
  }
  const shape = { grade, at, terms, scope, source: `${grade} ${keepsMs}` }
  return aReading({ ...shape, seen: { attempts: world.effects.length } }, answer)
}

/** Would an honest source that shows nothing at this moment mean that there is nothing? */
export function knowsOfNothing(world: World, { grade, keepsMs }: Source, at: number): boolean {
  return (
    objectsOf(world).length === 0 &&
    grade !== 'D' &&
    at > lastArrival(world) + SETTLES[grade] &&
    (keepsMs === null || at < sentAt(1) + keepsMs) &&
    (grade !== 'A' || at + 100 < NOON + RETENTION_MS)
  )
}

function observed(
  world: World,
  { source, mood, at, forgets }: { source: Source; mood: Mood; at: number; forgets: boolean },
): Observed {
  const ours = forgets ? [] : visible(world, source, at)
  switch (mood) {
    case 'honest':
      return whole({ matches: ours })
    case 'fails':
      return NOT_REACHED
    case 'partial':
      return { ...whole({ matches: ours.slice(1) }), completeness: 'partial', why: 'a page is missing' }
    case 'hides':
      return whole({ parent: 'unreadable' })
    case 'no_parent':
      // It may be hidden, and nobody asked.
      return whole({ parent: 'not_asked' })
    case 'elsewhere':
      return whole()
    case 'look_alike':
      return whole({ matches: [...ours, other({ matched_by: 'attributes' })] })
    case 'same_content':
      return source.grade === 'B'
        ? whole({ matches: [...ours, other({ matched_by: 'attributes', differs: 'its digest' })] })
        : whole({ matches: [...ours, other({ matched_by: 'digest' })] })
    case 'of_another':
      return whole({ matches: [...ours, aMatch({ external_id: STRANGER, matched_by: 'attributes' })] })
    case 'another_by_name':
      return whole({ matches: [...ours, aMatch({ external_id: STRANGER, matched_by: 'digest' })] })
    case 'states':
      return source.grade === 'A'
        ? whole({ matches: ours, statements: statementsOf(world) })
        : whole({ matches: ours })
    case 'lies_by_silence':
      // A search may miss, or show what is not there: nothing of it is ever true by itself.
      return source.grade === 'D' ? whole({ matches: [aMatch({ external_id: anId('T-7') })] }) : NOT_REACHED
  }
}

function other(over: Partial<Match>): Match {
  return aMatch({ external_id: anId('T-50'), ...over })
}

/** What a service that says only what is true says for good. */
function statementsOf({ effects }: World) {
  const attempts = effects.flatMap((effect, i) => (effect === 'none' ? [i + 1] : []))
  return attempts.length === 0 ? [] : [{ says: 'aborted' as const, attempts }]
}

function visible(world: World, { grade, keepsMs }: Source, at: number): Match[] {
  const lag = grade === 'C' || grade === 'D' ? world.lagMs : 0
  if (grade === 'A' && at >= NOON + RETENTION_MS) return []
  return objectsOf(world)
    .filter(object => object.at + lag <= at && (keepsMs === null || at < object.at + keepsMs))
    .map(({ id }) => aMatch({ external_id: id }))
}
