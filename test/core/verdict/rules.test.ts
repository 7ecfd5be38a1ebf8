import { describe, expect, it } from 'vitest'
import type { Observed } from '../../../src/core/observation.js'
import { judge, VERDICT_RULES } from '../../../src/core/verdict.js'
import { NOON, stampAt } from '../builders.js'
import {
  ARRIVAL_MS,
  aMatch,
  anAttempt,
  anId,
  anOperation,
  aQuestion,
  aReading,
  MINUTE,
  NOT_REACHED,
  RETENTION_MS,
  SETTLE_MS,
  SPACING_MS,
  TERMS,
  whole,
} from './builders.js'

const LATE = NOON + ARRIVAL_MS + SETTLE_MS + 1

describe('what was found', () => {
  it.each(['key', 'operation_id'] as const)(
    'by the %s confirms from a record, a point and a list',
    matched_by => {
      for (const grade of ['A', 'B', 'C'] as const)
        expect(
          judge(aQuestion([aReading({ grade }, whole({ matches: [aMatch({ matched_by })] }))])),
        ).toMatchObject({
          verdict: 'confirmed',
          rule: 'found',
          external_ids: [anId()],
          duplicates: false,
        })
    },
  )

  it('by a search alone is a candidate', () => {
    const verdict = judge(aQuestion([aReading({ grade: 'D' }, whole({ matches: [aMatch()] }))]))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'candidates', waits_for: 'person' })
  })

  it('by its digest confirms where its own name was read, and in a list is a candidate', () => {
    const seen = whole({ matches: [aMatch({ matched_by: 'digest' })] })
    expect(judge(aQuestion([aReading({ grade: 'B' }, seen)])).verdict).toBe('confirmed')
    expect(judge(aQuestion([aReading({ grade: 'C' }, seen)]))).toMatchObject({ rule: 'candidates' })
  })

  it('by its digest beside another of the same name is confirmed, and the other is named', () => {
    const own = aMatch({ matched_by: 'digest', external_id: anId('pages-1') })
    const other = aMatch({
      matched_by: 'attributes',
      external_id: anId('pages-2'),
      differs: 'its content is another',
    })
    const verdict = judge(aQuestion([aReading({ grade: 'B' }, whole({ matches: [other, own] }))]))
    expect(verdict).toMatchObject({ verdict: 'confirmed', rule: 'found', duplicates: false })
    expect(verdict.reason).toContain('another object has the same name: ticket pages-2')
  })

  it('L2: three times is confirmed with all ids and none chosen', () => {
    const matches = ['tok-1', 'tok-2', 'tok-3'].map(value => aMatch({ external_id: anId(value) }))
    const verdict = judge(aQuestion([aReading({}, { ...whole({ matches }), result: { id: 'tok-1' } })]))
    expect(verdict).toMatchObject({ verdict: 'confirmed', rule: 'duplicates', duplicates: true })
    expect(verdict.reason).toBe('3 found for 1 intended: ticket tok-1, ticket tok-2, ticket tok-3')
    expect(verdict).not.toHaveProperty('result')
  })

  it('twice on overlapping pages is one object', () => {
    const verdict = judge(aQuestion([aReading({}, whole({ matches: [aMatch(), aMatch()] }))]))
    expect(verdict).toMatchObject({ rule: 'found', duplicates: false })
  })

  it('and bound to another operation confirms nothing, whatever it carries', () => {
    const bound = { boundTo: () => 'ticket-2' }
    for (const matched_by of ['key', 'operation_id', 'digest', 'attributes'] as const) {
      const seen = aReading({ grade: 'B' }, whole({ matches: [aMatch({ matched_by })] }))
      expect(judge(aQuestion([seen], bound)).verdict).toBe('inconclusive')
    }
  })

  it('as something else under its own name names the difference', () => {
    const differs = 'someone published different content: its integrity is sha512-BBB, ours is sha512-AAA'
    const seen = whole({ matches: [aMatch({ matched_by: 'attributes', differs })] })
    const verdict = judge(aQuestion([aReading({ grade: 'B' }, seen)]))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'candidates' })
    expect(verdict.reason).toContain('different content')
  })

  it('as something else under its own name confirms nothing, whatever it is known by', () => {
    for (const matched_by of ['key', 'operation_id', 'digest'] as const) {
      const seen = aReading(
        { grade: 'B' },
        whole({ matches: [aMatch({ matched_by, differs: 'its content' })] }),
      )
      expect(judge(aQuestion([seen])).verdict).toBe('inconclusive')
    }
  })

  it('that carries its key and is bound to another operation says which', () => {
    const seen = aReading({ grade: 'C' }, whole({ matches: [aMatch()] }))
    const verdict = judge(aQuestion([seen], { boundTo: () => 'ticket-2' }))
    expect(verdict).toMatchObject({ rule: 'bound_elsewhere', waits_for: 'person' })
    expect(verdict.reason).toContain('ticket-2')
  })

  it('by an id that is on file confirms', () => {
    const seen = whole({ matches: [aMatch({ matched_by: 'attributes' })] })
    expect(judge(aQuestion([aReading({ grade: 'B' }, seen)], { knownIds: [anId()] })).verdict).toBe(
      'confirmed',
    )
  })
})

describe('what was not found', () => {
  const silent = (at: number, over = {}) => aReading({ at, ...over }, whole())
  const twice = (at: number, over = {}) =>
    aQuestion([silent(at + SPACING_MS, over)], { earlier: [silent(at, over)] })

  it('proves absence by two spaced looks after the last arrival and the lag', () => {
    expect(judge(twice(LATE))).toMatchObject({ verdict: 'absent', rule: 'proved_absent', attempts: [1] })
  })

  it.each([
    ['one look', aQuestion([silent(LATE)]), 'time'],
    ['a first look one millisecond too early', twice(LATE - 1), 'time'],
    ['two looks too close', aQuestion([silent(LATE + SPACING_MS - 1)], { earlier: [silent(LATE)] }), 'time'],
    ['a search', twice(LATE, { grade: 'D' }), 'person'],
    [
      'another source before',
      aQuestion([silent(LATE + SPACING_MS)], { earlier: [silent(LATE, { source: 'x' })] }),
      'time',
    ],
    [
      'a look before that was not whole',
      aQuestion([silent(LATE + SPACING_MS)], {
        earlier: [aReading({ at: LATE }, { ...whole(), completeness: 'partial', why: 'a page is missing' })],
      }),
      'time',
    ],
    ['a look before it was sent again', twice(LATE, { seen: { attempts: 0 } }), 'time'],
    ['a look before it was changed', twice(LATE, { seen: { version: 2 } }), 'time'],
    ['no bound on arrival', { ...twice(LATE), attempts: [anAttempt(1, { latest_arrival: null })] }, 'person'],
    ['a clock in doubt', { ...twice(LATE), clockDoubt: true }, 'time'],
    ['an id on file', { ...twice(LATE), knownIds: [anId()] }, 'person'],
    ['a receipt on file', { ...twice(LATE), attempts: [anAttempt(1, { end: 'applied' })] }, 'person'],
    [
      'a status that waits to be sent',
      { ...twice(LATE), operation: anOperation({ status: 'prepared' }) },
      'person',
    ],
    [
      'evidence of both kinds',
      { ...twice(LATE), operation: anOperation({ flags: { contradicted: true } }) },
      'person',
    ],
  ] as const)('proves nothing by %s', (_, question, waits_for) => {
    expect(judge(question)).toMatchObject({ verdict: 'inconclusive', waits_for })
  })

  it.each(['unreadable', 'not_asked'] as const)('proves nothing while what holds it is %s', parent => {
    const seen = (at: number) => aReading({ at }, whole({ parent }))
    const verdict = judge(aQuestion([seen(LATE + SPACING_MS)], { earlier: [seen(LATE)] }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', waits_for: 'person' })
  })

  it('L1: too early says how much of the wait is over, and when a look says more', () => {
    const attempt = anAttempt(1, { ended_at: NOON, latest_arrival: NOON })
    const terms = { ...TERMS, settle_ms: 2 * MINUTE }
    const seen = aReading({ at: NOON + MINUTE / 2, terms }, whole())
    const verdict = judge(aQuestion([seen], { attempts: [attempt] }))
    expect(verdict).toMatchObject({ waits_for: 'time', next_look_at: NOON + 2 * MINUTE + 1 })
    expect(verdict.reason).toBe('too early to believe an absence (30s of 2m)')
  })

  it.each<[string, number, number, string]>([
    ['less than a second', 700, 300, '0s of 1s'],
    ['a little more than a second', 1_900, 1_500, '1s of 2s'],
    ['the millisecond before a second is over', 1_000, 1_000, '0s of 1s'],
    ['the last of a minute and a half', 90_000, 70_000, '1m10s of 1m30s'],
    ['hours', 90 * MINUTE, 61 * MINUTE, '1h 1m of 1h 30m'],
  ])('a part of a wait never reads like all of it: %s', (_, settle_ms, waited, told) => {
    const attempt = anAttempt(1, { ended_at: NOON, latest_arrival: NOON })
    const seen = aReading({ at: NOON + waited, terms: { ...TERMS, settle_ms } }, whole())
    expect(judge(aQuestion([seen], { attempts: [attempt] })).reason).toContain(`(${told})`)
  })

  it('the wait is told by the clock that says less, also where the other says that it is over', () => {
    const attempt = anAttempt(1, { ended_at: NOON, latest_arrival: NOON })
    const terms = { ...TERMS, settle_ms: 2 * MINUTE }
    const seen = aReading({ at: NOON + 10 * MINUTE, terms }, whole())
    const started = { ...seen.started, boot_ms: stampAt(NOON + MINUTE).boot_ms }
    expect(judge(aQuestion([{ ...seen, started }], { attempts: [attempt] })).reason).toContain('(1m of 2m)')
  })

  it('in a source that has forgotten says how old the action is', () => {
    const day = 24 * 60 * MINUTE
    const terms = { ...TERMS, keeps_ms: 30 * day }
    const seen = (at: number) => aReading({ at, terms }, whole())
    const at = NOON + 49 * day
    const verdict = judge(aQuestion([seen(at + SPACING_MS)], { earlier: [seen(at)] }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', waits_for: 'person' })
    expect(verdict.reason).toBe('the source keeps 30d, the action is 49d old: it cannot tell any more')
  })

  it('under a key that may be forgotten proves nothing, and a moment before it does', () => {
    const looks = (at: number) => twice(at - SPACING_MS, { grade: 'A', terms: { ...TERMS, settle_ms: 0 } })
    expect(judge(looks(NOON + RETENTION_MS - 101)).verdict).toBe('absent')
    expect(judge(looks(NOON + RETENTION_MS - 100)).verdict).toBe('inconclusive')
  })

  it('after it was seen once says that the record is gone', () => {
    const earlier = [aReading({ grade: 'D' }, whole({ matches: [aMatch()] })), silent(LATE)]
    expect(judge(aQuestion([silent(LATE + SPACING_MS)], { earlier }))).toMatchObject({ rule: 'record_gone' })
  })

  it('in a list that holds a look-alike of another operation is not found', () => {
    const seen = (at: number) => aReading({ at }, whole({ matches: [aMatch({ matched_by: 'attributes' })] }))
    const question = aQuestion([seen(LATE + SPACING_MS)], {
      earlier: [seen(LATE)],
      boundTo: () => 'ticket-2',
    })
    expect(judge(question).verdict).toBe('absent')
  })
})

describe('what was not answered', () => {
  it.each([
    ['failed', NOT_REACHED],
    ['partial', { ...whole(), completeness: 'partial', why: 'a page is missing' }],
  ] satisfies [string, Observed][])('is no absence: %s', (_, observed) => {
    const earlier = [aReading({ at: LATE }, whole()), aReading({ at: LATE + SPACING_MS }, whole())]
    const verdict = judge(aQuestion([aReading({ at: LATE + 9 * MINUTE }, observed)], { earlier }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'not_answered', waits_for: 'time' })
  })

  it('of what is on file is not said to be gone', () => {
    const verdict = judge(aQuestion([aReading({}, NOT_REACHED)], { knownIds: [anId()] }))
    expect(verdict).toMatchObject({ rule: 'not_answered' })
  })

  it('and asks to wait is asked again after that', () => {
    const seen = aReading({}, { ...NOT_REACHED, code: 'rate_limited', retry_after_ms: 90_000 })
    expect(judge(aQuestion([seen]))).toMatchObject({ next_look_at: NOON + 200 + 90_000 })
  })

  it('in another session than the one that made it was not asked', () => {
    const knownIds = [anId('task-123', { scope: 'A' })]
    const seen = aReading({ scope: 'B', grade: 'B' }, whole())
    const verdict = judge(aQuestion([seen], { knownIds }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'asked_elsewhere' })
    expect(
      judge(
        aQuestion([seen], {
          operation: anOperation({ repeat: { kind: 'idempotency_key', retention_ms: 1, scope: 'A' } }),
        }),
      ).reason,
    ).toBe('asked in another session or scope (B) than the one that made it (A)')
  })
})

describe('the list of rules', () => {
  it('has an id, a title and a reason for each, and every id once', () => {
    const ids = VERDICT_RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { title, reason } of VERDICT_RULES) expect(title.length * reason.length).toBeGreaterThan(100)
  })

  it('judges the same observations the same way', () => {
    const question = aQuestion([aReading({}, whole({ matches: [aMatch()] }))])
    expect(judge({ ...question, now: stampAt(question.now.at) })).toEqual(judge(question))
  })
})
