import { describe, expect, it } from 'vitest'
import type { Seen } from '../../../src/core/observation.js'
import { judge, type VerdictQuestion } from '../../../src/core/verdict.js'
import { NOON, stampAt } from '../builders.js'
import {
  ARRIVAL_MS,
  aMatch,
  anAttempt,
  anOperation,
  aQuestion,
  aReading,
  MINUTE,
  NOT_REACHED,
  RETENTION_MS,
  type Read,
  SETTLE_MS,
  SPACING_MS,
  TERMS,
  whole,
} from './builders.js'

const LATE = NOON + ARRIVAL_MS + SETTLE_MS + 1
const DAY = 24 * 60 * MINUTE
const silent = (at: number, read: Read = {}, over: object = {}) => aReading({ at, ...read }, whole(over))
const twice = (at: number, read: Read = {}, over: object = {}) =>
  aQuestion([silent(at + SPACING_MS, read, over)], { earlier: [silent(at, read, over)] })

describe('absence is told with what it rests on', () => {
  it('the reads that counted', () => {
    expect(judge(twice(LATE))).toMatchObject({
      verdict: 'absent',
      reason: '2 complete reads after the last moment it could arrive, and it is not there',
    })
    const thrice = { ...twice(LATE), earlier: [silent(LATE - 1), silent(LATE), silent(LATE, { grade: 'B' })] }
    expect(judge(thrice).reason).toMatch(/^2 complete reads/)
  })

  it.each<[string, VerdictQuestion, string, number | null]>([
    ['nothing was asked', aQuestion([]), 'nothing was asked', null],
    [
      'it could not be asked',
      aQuestion([aReading({}, NOT_REACHED)]),
      'it could not be asked: connect ECONNREFUSED',
      null,
    ],
    [
      'a page is missing',
      aQuestion([
        silent(LATE),
        aReading({ grade: 'B' }, { ...whole(), completeness: 'partial', why: 'page 2' }),
      ]),
      'the answer is not all there is: page 2',
      null,
    ],
    [
      'one read of two',
      aQuestion([silent(LATE)]),
      'it is not there, by 1 of 2 complete reads: look again',
      LATE + SPACING_MS,
    ],
    ['a search', twice(LATE, { grade: 'D' }), 'a search does not prove absence', null],
    [
      'no bound on arrival',
      { ...twice(LATE), attempts: [anAttempt(1), anAttempt(2, { latest_arrival: null })] },
      'how long a request may still arrive is not bounded: absence can never be proven',
      null,
    ],
    [
      'a key forgotten',
      { ...twice(LATE, { grade: 'A' }), operation: anOperation({ key_retention_ms: MINUTE }) },
      'the service may have forgotten the key',
      null,
    ],
    [
      'a parent that cannot be read',
      twice(LATE, {}, { parent: 'unreadable' }),
      'what holds it cannot be read with this credential: nothing there may be hidden',
      null,
    ],
    [
      'a parent that was not asked for',
      twice(LATE, {}, { parent: 'not_asked' }),
      'nothing was found, which proves nothing: whether this credential could see it was not asked (the probe names no parent)',
      null,
    ],
    [
      'no attempt in doubt',
      { ...twice(LATE), attempts: [anAttempt(1, { end: 'not_applied' })] },
      'no attempt is in doubt by its own record: a person decides how it is settled',
      null,
    ],
    [
      'a status that waits to be sent',
      { ...twice(LATE), operation: anOperation({ status: 'prepared' }) },
      '2 complete reads after the last moment it could arrive, and it is not there, but it waits to be sent again: withdraw it first, then look again',
      null,
    ],
    [
      'an executor that runs',
      { ...twice(LATE), operation: anOperation({ status: 'in_flight' }) },
      'its executor may still send it',
      null,
    ],
    [
      'evidence of both kinds',
      { ...twice(LATE), operation: anOperation({ flags: { contradicted: true } }) },
      '2 complete reads after the last moment it could arrive, and it is not there, but evidence of both kinds is on file: a person decides',
      null,
    ],
    [
      'a clock in doubt',
      { ...twice(LATE), clockDoubt: true },
      'the clock jumped since the last commit: nothing that rests on time is concluded',
      null,
    ],
  ])('or why it is none: %s', (_, question, reason, next_look_at) => {
    expect(judge(question)).toMatchObject({ verdict: 'inconclusive', reason, next_look_at })
  })

  it('of an executor that runs, by time', () => {
    const question = { ...twice(LATE), operation: anOperation({ status: 'in_flight' }) }
    expect(judge(question)).toMatchObject({ waits_for: 'time' })
  })
})

describe('every attempt in doubt must have run out of time', () => {
  const sentLater = anAttempt(2, { sent_at: NOON + MINUTE })

  it('so the last of them counts for the wait, and for what is told of it', () => {
    const over = { attempts: [anAttempt(1), sentLater], operation: anOperation({ attempt: 2 }) }
    const seen = { attempts: 2 }
    const looks = (at: number) => ({ ...twice(at, { seen }), ...over })
    expect(judge(looks(LATE + MINUTE)).verdict).toBe('absent')
    expect(judge(looks(LATE + MINUTE - 1)).verdict).toBe('inconclusive')
    expect(judge({ ...aQuestion([silent(NOON + 11.5 * MINUTE, { seen })]), ...over })).toMatchObject({
      reason: 'too early to believe an absence (10m of 29m)',
      next_look_at: LATE + MINUTE,
    })
  })

  it('so one that nobody ended counts from its sending', () => {
    const attempts = [anAttempt(1, { ended_at: null, end: null })]
    expect(judge(aQuestion([silent(NOON + 10 * MINUTE)], { attempts })).reason).toBe(
      'too early to believe an absence (10m of 30m)',
    )
  })

  it('so where the slower clock has not come so far, it is looked for again a second later', () => {
    const started = { ...stampAt(LATE + MINUTE), boot_ms: stampAt(NOON).boot_ms }
    const seen = { ...silent(LATE), started }
    expect(judge(aQuestion([seen]))).toMatchObject({ next_look_at: started.at + 1_000 })
  })
})

describe('of several sources', () => {
  it('the one that time helps soonest is told, before those that only a person can', () => {
    const early = silent(NOON + MINUTE, { terms: { ...TERMS, settle_ms: 2 * SETTLE_MS } })
    const soon = silent(NOON + MINUTE, { grade: 'B' })
    const search = silent(NOON, { grade: 'D' })
    for (const latest of [
      [search, early, soon],
      [soon, early, search],
    ])
      expect(judge(aQuestion(latest))).toMatchObject({ waits_for: 'time', next_look_at: LATE })
    expect(judge(aQuestion([search, silent(LATE, { grade: 'B' }, { parent: 'unreadable' })])).reason).toBe(
      'a search does not prove absence',
    )
  })

  it('an answer that only tells of a task proves nothing', () => {
    const statement = whole({ statements: [{ says: 'aborted', attempts: [9] }] })
    expect(judge(aQuestion([aReading({ grade: 'A', at: LATE }, statement)]))).toMatchObject({
      reason: 'no source that could prove absence was asked',
      waits_for: 'person',
    })
  })
})

describe('a record that is kept for a time', () => {
  const keeping = (keeps_ms: number, at: number, over: Partial<VerdictQuestion> = {}) =>
    judge({ ...twice(at, { terms: { ...TERMS, keeps_ms } }), ...over })

  it('tells while the oldest attempt in doubt is younger than that', () => {
    expect(keeping(DAY, NOON + DAY - SPACING_MS - 1).verdict).toBe('absent')
    expect(keeping(DAY, NOON + DAY - SPACING_MS).verdict).toBe('inconclusive')
    const attempts = [anAttempt(1), anAttempt(2, { sent_at: NOON + MINUTE })]
    expect(keeping(DAY, NOON + DAY - SPACING_MS, { attempts }).reason).toBe(
      'the source keeps 1d, the action is 1d old: it cannot tell any more',
    )
  })
})

describe('a key', () => {
  const looked = (over: Parameters<typeof anOperation>[0], attempts = [anAttempt()]) =>
    judge({ ...twice(LATE, { grade: 'A' }), operation: anOperation(over), attempts }).verdict

  it('of which nobody knows how long it is kept, or since when, is forgotten', () => {
    expect(looked({})).toBe('absent')
    expect(looked({ key_retention_ms: null })).toBe('inconclusive')
    expect(looked({ key_first_used_at: null })).toBe('inconclusive')
  })

  it('is as old as the clock says that says more', () => {
    const sentBefore = anAttempt(1, { sent_at: NOON - RETENTION_MS, latest_arrival: NOON })
    expect(looked({}, [sentBefore])).toBe('inconclusive')
    expect(looked({ key_first_used_at: NOON - RETENTION_MS })).toBe('inconclusive')
  })

  it('forgotten says nothing of a list', () => {
    const operation = anOperation({ key_retention_ms: MINUTE })
    expect(judge({ ...twice(LATE, { grade: 'B' }), operation }).verdict).toBe('absent')
  })
})

describe('reads that do not count', () => {
  const after = (earlier: Seen) => judge({ ...twice(LATE), earlier: [earlier] }).verdict

  it.each<[string, Seen]>([
    ['one that could not be asked', aReading({ at: LATE, source: 'C' }, NOT_REACHED)],
    [
      'one in which something stood',
      silent(LATE, { source: 'C' }, { statements: [{ says: 'aborted', attempts: [9] }] }),
    ],
    ['one that was asked elsewhere', silent(LATE, { scope: 'us' })],
  ])('are %s', (_, earlier) => {
    const knownHere = anOperation({ repeat: { kind: 'idempotency_key', retention_ms: 1, scope: 'eu' } })
    expect(after(silent(LATE))).toBe('absent')
    const question = { ...twice(LATE, { scope: 'eu' }), earlier: [earlier], operation: knownHere }
    expect(judge({ ...question, earlier: [silent(LATE, { scope: 'eu' })] }).verdict).toBe('absent')
    expect(judge(question).verdict).toBe('inconclusive')
  })

  it('in a list hold what is another operation’s and carries no mark', () => {
    const list = (match: object, grade: 'B' | 'C' = 'C') =>
      judge({
        ...twice(LATE, { grade }, { matches: [aMatch({ matched_by: 'attributes', ...match })] }),
        boundTo: () => 'ticket-2',
      }).verdict
    expect(list({})).toBe('absent')
    expect(list({}, 'B')).toBe('inconclusive')
    expect(list({ differs: 'its title' })).toBe('inconclusive')
    expect(list({ matched_by: 'key' })).toBe('inconclusive')
  })
})
