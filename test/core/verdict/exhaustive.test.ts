import { describe, expect, it } from 'vitest'
import type { Grade, Seen } from '../../../src/core/observation.js'
import { judge, type Verdict } from '../../../src/core/verdict.js'
import { NOON, stampAt } from '../builders.js'
import { anAttempt, anOperation, MINUTE, SETTLE_MS, SPACING_MS } from './builders.js'
import {
  boundTo,
  EFFECTS,
  lastArrival,
  MOODS,
  type Mood,
  objectsOf,
  read,
  type Source,
  sentAt,
  type World,
} from './service-model.js'

const KEEPS_MS = 40 * MINUTE
const SOURCES: readonly Source[] = (['A', 'B', 'C', 'D'] satisfies Grade[]).flatMap(grade => [
  { grade, keepsMs: null },
  { grade, keepsMs: KEEPS_MS },
])

/** One sending, and two of which the second may be late while the first is early, or the other way round. */
const WORLDS: readonly World[] = [
  ...EFFECTS.map(one => [one]),
  ...pairs(EFFECTS).filter(([one, two]) => one === 'none' || two === 'none' || one === two),
].flatMap(effects =>
  [0, SETTLE_MS].flatMap(lagMs => [
    { effects, lagMs, doubles: false },
    ...(effects.includes('early') ? [{ effects, lagMs, doubles: true }] : []),
  ]),
)
const PLAIN_WORLDS = WORLDS.filter(({ effects, doubles }) => effects.length === 1 && !doubles)

/** When the first look is, from the last moment of arrival on, and on each side of every limit. */
const MOMENTS = [-15 * MINUTE, 0, 1, SETTLE_MS, SETTLE_MS + 1, KEEPS_MS, 300 * MINUTE]
const GAPS = [SPACING_MS - 1, SPACING_MS]

interface Tally {
  combinations: number
  confirmed: number
  absent: number
  not_applied: number
  inconclusive: number
}

const tally: Tally = { combinations: 0, confirmed: 0, absent: 0, not_applied: 0, inconclusive: 0 }

describe('the verdict', () => {
  it('is never wrong, whatever one source answers in two looks', () => {
    const wrong: string[] = []
    for (const world of WORLDS)
      for (const source of SOURCES)
        for (const moment of MOMENTS) {
          const at = lastArrival(world) + moment
          const before = MOODS.map(mood => read(world, { source, mood, at, forgets: false }))
          for (const gap of GAPS)
            for (const forgets of [false, true]) {
              const now = MOODS.map(mood => read(world, { source, mood, at: at + gap, forgets }))
              for (const first of before)
                for (const second of now) if (!forgets || shows(first)) note(wrong, world, [first], [second])
            }
        }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it('is never wrong, whatever two sources answer together', () => {
    const wrong: string[] = []
    for (const world of PLAIN_WORLDS)
      for (const [one, two] of pairs(SOURCES))
        for (const moment of [0, SETTLE_MS + 1, KEEPS_MS]) {
          const at = lastArrival(world) + moment
          const reads = (source: Source, mood: Mood, gap: number) =>
            read(world, { source, mood, at: at + gap, forgets: false })
          const earlier = [reads(one, 'honest', 0), reads(two, 'honest', 0)]
          const ones = MOODS.map(mood => reads(one, mood, SPACING_MS))
          const twos = MOODS.map(mood => reads(two, mood, SPACING_MS))
          for (const first of ones) for (const second of twos) note(wrong, world, earlier, [first, second])
        }
    expect(wrong.slice(0, 5)).toEqual([])
  })

  it('comes to every answer it can come to', () => {
    console.log(`verdicts judged against the model of the service: ${JSON.stringify(tally)}`)
    expect(Object.values(tally).every(count => count > 1_000)).toBe(true)
  })
})

function note(wrong: string[], world: World, earlier: readonly Seen[], latest: readonly Seen[]): void {
  const verdict = verdictOn(world, earlier, latest)
  tally.combinations++
  tally[verdict.verdict]++
  const problem = problemWith(verdict, world, latest)
  if (problem === null) return
  wrong.push(`${problem}: ${verdict.rule}, ${verdict.reason} ${JSON.stringify({ world, latest })}`)
  // Five say enough of what is wrong: the rest of a million need not be looked through.
  if (wrong.length >= 5) expect(wrong).toEqual([])
}

function verdictOn({ effects }: World, earlier: readonly Seen[], latest: readonly Seen[]): Verdict {
  const now = latest.at(-1)?.started.at ?? NOON
  return judge({
    operation: anOperation({
      attempt: effects.length,
      repeat: { kind: 'idempotency_key', retention_ms: 180 * MINUTE, scope: 'session-A' },
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

/** The model as judge: it alone knows what happened. */
function problemWith(verdict: Verdict, world: World, latest: readonly Seen[]): string | null {
  const objects = objectsOf(world)
  const now = latest.at(-1)?.started.at ?? NOON
  switch (verdict.verdict) {
    case 'confirmed': {
      const isThere = (value: string) => objects.some(({ id, at }) => id.value === value && at <= now)
      const strange = verdict.external_ids.find(({ value }) => !isThere(value))
      if (strange !== undefined || verdict.external_ids.length === 0)
        return 'confirmed by what is not its own'
      return verdict.duplicates === verdict.external_ids.length > 1 ? null : 'its doubles are not marked'
    }
    case 'absent':
      return objects.length === 0 ? null : 'absent, and it did or will take effect'
    case 'not_applied':
      return verdict.attempts.every(n => world.effects[n - 1] === 'none')
        ? null
        : 'a refusal of what was done'
    case 'inconclusive':
      return null
  }
}

function shows(seen: Seen): boolean {
  return seen.completeness !== 'failed' && seen.matches.length > 0
}

function pairs<T>(list: readonly T[]): [T, T][] {
  return list.flatMap(one => list.map((two): [T, T] => [one, two]))
}
