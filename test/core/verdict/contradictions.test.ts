import { describe, expect, it } from 'vitest'
import type { Grade, Observed, Remote, Seen } from '../../../src/core/observation.js'
import { judge, type Verdict } from '../../../src/core/verdict.js'
import { NOON, stampAt } from '../builders.js'
import {
  aMatch,
  anAttempt,
  anId,
  anOperation,
  MINUTE,
  RETENTION_MS,
  SETTLE_MS,
  SPACING_MS,
  whole,
} from './builders.js'
import {
  boundTo,
  EFFECTS,
  type Effect,
  knowsOfNothing,
  lastArrival,
  objectsOf,
  read,
  reading,
  type Source,
  sentAt,
  type World,
} from './service-model.js'

const KEEPS_MS = 40 * MINUTE
const GRADES: readonly Grade[] = ['A', 'B', 'C']
const HONEST: readonly Source[] = [...GRADES, 'D' as const].flatMap(grade => [
  { grade, keepsMs: null },
  { grade, keepsMs: KEEPS_MS },
])
/** Another source than any honest one of its grade. */
const LIARS: readonly Source[] = GRADES.map(grade => ({ grade, keepsMs: 400 * MINUTE }))

const SENDINGS: readonly (readonly Effect[])[] = [
  ...EFFECTS.map(one => [one]),
  ['none', 'none'],
  ['none', 'early'],
  ['late', 'none'],
  ['early', 'late'],
]
const WORLDS: readonly World[] = SENDINGS.flatMap(effects =>
  [0, SETTLE_MS].flatMap(lagMs => [
    { effects, lagMs, doubles: false },
    ...(effects[0] === 'early' ? [{ effects, lagMs, doubles: true }] : []),
  ]),
)
const MOMENTS = [-15 * MINUTE, 0, 1, SETTLE_MS, SETTLE_MS + 1, KEEPS_MS, 300 * MINUTE]

const GHOST = anId('T-77')

interface Lie {
  readonly says: string
  readonly answer: (world: World) => Observed
  /** the lie claims an effect; else it claims that there is none */
  readonly claims: 'effect' | 'nothing' | 'neither'
}

const STATUSES: readonly Remote[] = [
  { state: 'completed', says: 'deployed 5/5' },
  { state: 'working', says: 'progressing 3/5' },
  { state: 'input_needed', says: 'waits for a name' },
  { state: 'failed', says: 'failed' },
  { state: 'failed', says: 'failed', left_nothing: true },
  { state: 'cancelled', says: 'cancelled', left_nothing: true },
  { state: 'not_found', says: 'expired' },
]

/** An index that is behind or ahead, a replica, a cache, a status that was never updated, a refusal that was not one. */
const LIES: readonly Lie[] = [
  { says: 'shows nothing', answer: () => whole(), claims: 'nothing' },
  {
    says: 'shows what is not there, by our key',
    answer: () => whole({ matches: [aMatch({ external_id: GHOST })] }),
    claims: 'effect',
  },
  {
    says: 'shows what is not there, by our id',
    answer: () => whole({ matches: [aMatch({ external_id: GHOST, matched_by: 'operation_id' })] }),
    claims: 'effect',
  },
  {
    says: 'shows what is not there, beside what is',
    answer: world =>
      whole({
        matches: [GHOST, ...objectsOf(world).map(({ id }) => id)].map(id => aMatch({ external_id: id })),
      }),
    claims: 'effect',
  },
  {
    says: 'says that all was aborted',
    answer: () => whole({ statements: [{ says: 'aborted', attempts: 'all' }] }),
    claims: 'nothing',
  },
  ...STATUSES.flatMap(remote =>
    [remote, { ...remote, artifact: 'a-5' }].map(
      (one): Lie => ({
        says: `its task says ${one.says}${'artifact' in one ? ', with a result' : ''}`,
        answer: () => whole({ remote: one }),
        claims: one.state === 'completed' ? 'effect' : one.left_nothing === true ? 'nothing' : 'neither',
      }),
    ),
  ),
]

describe('the verdict on sources of which one is wrong', () => {
  it('never believes the wrong one against one that shows otherwise', () => {
    const wrong: string[] = []
    const tally: Record<Verdict['verdict'] | 'combinations', number> = {
      combinations: 0,
      confirmed: 0,
      absent: 0,
      not_applied: 0,
      inconclusive: 0,
    }
    for (const [world, honest, liar, lie, moment] of combinations()) {
      const at = lastArrival(world) + moment
      const truth = (when: number) =>
        read(world, { source: honest, mood: 'honest', at: when, forgets: false })
      const now = truth(at + SPACING_MS)
      if (!contradicts(world, { lie, liar, honest, now })) continue
      const told = (when: number) => reading(world, { source: liar, at: when }, lie.answer(world))
      const lied = told(at + SPACING_MS)
      for (const earlier of [[], [truth(at), told(at)], [told(at - SPACING_MS), told(at)]])
        for (const latest of [
          [now, lied],
          [lied, now],
        ]) {
          const verdict = verdictOn(world, earlier, latest)
          tally.combinations++
          tally[verdict.verdict]++
          const problem = problemWith(verdict, world)
          if (problem === null) continue
          wrong.push(`${problem}: ${lie.says}, ${liar.grade} against ${honest.grade}: ${verdict.rule}`)
          if (wrong.length >= 5) expect(wrong).toEqual([])
        }
    }
    console.log(`verdicts on contradictions: ${JSON.stringify(tally)}`)
    expect(wrong).toEqual([])
    expect(tally.confirmed).toBeGreaterThan(1_000)
    expect(tally.inconclusive).toBeGreaterThan(1_000)
    expect(tally).toMatchObject({ absent: 0, not_applied: 0 })
  })
})

function* combinations(): Generator<[World, Source, Source, Lie, number]> {
  for (const world of WORLDS)
    for (const honest of HONEST)
      for (const liar of LIARS)
        for (const lie of LIES) for (const moment of MOMENTS) yield [world, honest, liar, lie, moment]
}

interface Scene {
  readonly lie: Lie
  readonly liar: Source
  readonly honest: Source
  readonly now: Seen
}

/** Is there anything to see through the lie by? One that nobody contradicts is what a service says. */
function contradicts(world: World, { lie, honest, now }: Scene): boolean {
  const shown = now.completeness !== 'failed' && now.matches.length > 0 && honest.grade !== 'D'
  return lie.claims === 'effect' && objectsOf(world).length === 0
    ? knowsOfNothing(world, honest, now.started.at)
    : shown
}

/** What happened decides: of two that disagree either the truth comes out, or nothing. */
function problemWith(verdict: Verdict, world: World): string | null {
  const objects = objectsOf(world)
  switch (verdict.verdict) {
    case 'confirmed': {
      if (objects.length === 0) return 'confirmed, and there is nothing'
      const ids = verdict.external_ids.map(({ value }) => value)
      if (ids.length > 1 && !verdict.duplicates) return 'its doubles are not marked'
      const isReal = ids.some(id => objects.some(object => object.id.value === id))
      return isReal ? null : 'confirmed by what is not there'
    }
    case 'absent':
    case 'not_applied':
      return `${verdict.verdict}, against what is shown`
    case 'inconclusive':
      return null
  }
}

function verdictOn({ effects }: World, earlier: readonly Seen[], latest: readonly Seen[]): Verdict {
  const now = latest.at(-1)?.started.at ?? NOON
  return judge({
    operation: anOperation({
      attempt: effects.length,
      repeat: { kind: 'idempotency_key', retention_ms: RETENTION_MS, scope: 'session-A' },
    }),
    attempts: effects.map((_, i) => anAttempt(i + 1, { sent_at: sentAt(i + 1) })),
    knownIds: [],
    boundTo,
    now: stampAt(now + 200),
    clockDoubt: false,
    latest,
    earlier,
  })
}
