import { describe, expect, it } from 'vitest'
import type { ExternalId } from '../../../src/core/operation.js'
import { judge } from '../../../src/core/verdict.js'
import { aMatch, anId, aQuestion, aReading, whole } from './builders.js'

const alike = (value = 'T-1', over: object = {}) =>
  aMatch({ matched_by: 'attributes', external_id: anId(value, over) })

describe('an id that is on file', () => {
  const knownAs = (id: ExternalId, found: object = {}) =>
    judge(aQuestion([aReading({}, whole({ matches: [alike('T-1', found)] }))], { knownIds: [id] })).verdict

  it.each<[string, ExternalId, object, boolean]>([
    ['itself', anId(), {}, true],
    ['another kind', anId('T-1', { kind: 'charge' }), {}, false],
    ['another value', anId('T-2'), {}, false],
    ['the same account', anId('T-1', { scope: 'eu' }), { scope: 'eu' }, true],
    ['another account', anId('T-1', { scope: 'eu' }), { scope: 'us' }, false],
    ['an account that only it names', anId('T-1', { scope: 'eu' }), {}, true],
    ['an account that only the answer names', anId(), { scope: 'eu' }, true],
  ])('is found again as %s: %s', (_, id, seen, isFound) => {
    expect(knownAs(id, seen)).toBe(isFound ? 'confirmed' : 'inconclusive')
  })
})

describe('what confirms is told', () => {
  const reasonOf = (matches: ReturnType<typeof aMatch>[], grade: 'B' | 'C' = 'C', boundTo = () => null) =>
    judge(aQuestion([aReading({ grade }, whole({ matches }))], { boundTo })).reason

  it('by its key or id, else by its content', () => {
    const digest = aMatch({ matched_by: 'digest' })
    expect(reasonOf([aMatch()])).toBe('ticket T-1 was found by its key or id')
    expect(reasonOf([aMatch({ matched_by: 'operation_id' })])).toBe('ticket T-1 was found by its key or id')
    expect(reasonOf([digest], 'B')).toBe('ticket T-1 was found by its content under its own name')
    expect(reasonOf([digest, aMatch()], 'B')).toBe('ticket T-1 was found by its key or id')
  })

  it('with the others of its name, where that was read', () => {
    expect(reasonOf([aMatch(), alike('T-2'), alike('T-3'), alike('T-2')], 'B')).toBe(
      'ticket T-1 was found by its key or id; another object has the same name: ticket T-2, ticket T-3',
    )
    expect(reasonOf([aMatch(), alike('T-2')], 'C')).toBe('ticket T-1 was found by its key or id')
  })

  it('without those that are another operation’s', () => {
    const boundTo = (id: ExternalId) => (id.value === 'T-2' ? 'ticket-2' : null)
    const question = aQuestion([aReading({ grade: 'B' }, whole({ matches: [aMatch(), alike('T-2')] }))])
    expect(judge({ ...question, boundTo }).reason).toBe('ticket T-1 was found by its key or id')
  })

  it('with the result, where the probe supplies one and there is one object', () => {
    const read = (result: object, matches = [aMatch()]) =>
      judge(
        aQuestion([
          aReading({}, whole({ matches })),
          aReading({ grade: 'A' }, whole({ matches, ...result })),
        ]),
      )
    expect(read({ result: { id: 7 } })).toMatchObject({ verdict: 'confirmed', result: { id: 7 } })
    expect(read({ result: null })).toHaveProperty('result', null)
    expect(read({})).not.toHaveProperty('result')
  })

  it('as duplicates where two of them differ in any part', () => {
    for (const other of [anId('T-2'), anId('T-1', { kind: 'charge' }), anId('T-1', { scope: 'eu' })])
      expect(
        judge(aQuestion([aReading({}, whole({ matches: [aMatch(), aMatch({ external_id: other })] }))])),
      ).toMatchObject({ rule: 'duplicates', duplicates: true, external_ids: [anId(), other] })
    const linked = aMatch({ external_id: anId('T-1', { url: 'https://t.example/1' }) })
    expect(judge(aQuestion([aReading({}, whole({ matches: [aMatch(), linked] }))])).rule).toBe('found')
  })
})

describe('what only may be it', () => {
  const candidatesOf = (
    matches: ReturnType<typeof aMatch>[],
    grade: 'A' | 'B' | 'C' | 'D' = 'C',
    over = {},
  ) => judge(aQuestion([aReading({ grade }, whole({ matches }))], over))

  it.each<[string, ReturnType<typeof aMatch>[], 'A' | 'C' | 'D', string]>([
    [
      'alone',
      [alike()],
      'C',
      'ticket T-1 looks like it, and carries no mark of this operation: a person compares',
    ],
    [
      'among several',
      [alike(), alike('T-2'), alike()],
      'C',
      '2 objects look like it, and none carries a mark of this operation: a person compares',
    ],
    [
      'in a search, with its key',
      [aMatch()],
      'D',
      'a search names ticket T-1: it counts once it is read by its id',
    ],
    [
      'in a search, with its key, after one without',
      [alike('T-2'), aMatch()],
      'D',
      'a search names ticket T-1: it counts once it is read by its id',
    ],
    [
      'as something else under its name, after one that looks like it',
      [alike('T-2'), aMatch({ differs: 'its title is another' })],
      'C',
      "someone else's content stands under its name: ticket T-1: its title is another",
    ],
    [
      'in a search, without a mark',
      [alike()],
      'D',
      'ticket T-1 looks like it, and carries no mark of this operation: a person compares',
    ],
    [
      'by its content in a record',
      [aMatch({ matched_by: 'digest' })],
      'A',
      'ticket T-1 looks like it, and carries no mark of this operation: a person compares',
    ],
    [
      'as something else under its name',
      [aMatch({ differs: 'its title is another' })],
      'C',
      "someone else's content stands under its name: ticket T-1: its title is another",
    ],
  ])('is told: %s', (_, matches, grade, reason) => {
    const verdict = candidatesOf(matches, grade)
    expect(verdict).toMatchObject({ rule: 'candidates', reason, waits_for: 'person' })
    const once = matches.filter(
      (one, i) => matches.findIndex(o => o.external_id.value === one.external_id.value) === i,
    )
    expect(verdict).toHaveProperty('candidates', once)
  })

  it('is none of the objects of another operation', () => {
    const boundTo = (id: ExternalId) => (id.value === 'T-1' ? 'ticket-2' : null)
    expect(candidatesOf([alike(), alike('T-3')], 'C', { boundTo })).toMatchObject({
      candidates: [alike('T-3')],
    })
  })

  it.each(['key', 'operation_id'] as const)('carries its %s and is another’s: both are told', matched_by => {
    const boundTo = (id: ExternalId) => (id.value === 'T-1' ? 'ticket-2' : null)
    const marked = aMatch({ matched_by })
    expect(candidatesOf([alike('T-3'), marked], 'C', { boundTo })).toMatchObject({
      rule: 'bound_elsewhere',
      reason: 'ticket T-1 carries its id and is on record as ticket-2',
      candidates: [marked],
    })
  })
})
