import { describe, expect, it } from 'vitest'
import type { Remote, Seen } from '../../../src/core/observation.js'
import { judge, type VerdictQuestion } from '../../../src/core/verdict.js'
import { NOON } from '../builders.js'
import { ARRIVAL_MS, aMatch, anAttempt, anId, aQuestion, aReading, SETTLE_MS, whole } from './builders.js'

const task = (
  state: Remote['state'],
  over: Partial<Remote> = {},
  grade: 'A' | 'B' = 'B',
  matches = [] as ReturnType<typeof aMatch>[],
) => aReading({ grade, source: state }, whole({ remote: { state, says: state, ...over }, matches }))
const hit = (grade: 'A' | 'B' | 'C') =>
  aReading({ grade, source: `${grade} hit` }, whole({ matches: [aMatch()] }))
const empty = (grade: 'A' | 'B' | 'C' | 'D', at = NOON) =>
  aReading({ grade, at, source: `${grade} empty` }, whole())
const aborted = aReading(
  { grade: 'A', source: 'key' },
  whole({ statements: [{ says: 'aborted', attempts: 'all' }] }),
)
const LATE = NOON + ARRIVAL_MS + SETTLE_MS + 1

const said = (latest: readonly Seen[], over: Partial<VerdictQuestion> = {}) => {
  const verdict = judge(aQuestion(latest, over))
  return verdict.rule === 'disagreement' ? verdict.reason : null
}

describe('two facts that cannot both be so are shown, and settle nothing', () => {
  it.each<[string, Seen[], string]>([
    [
      'a state and a result',
      [task('failed', { artifact: 'a-5' })],
      'its status says failed, and its result exists: a-5',
    ],
    [
      'a list and a record',
      [hit('C'), empty('A')],
      "ticket T-1 stands in the list; the service's record of the key says that there is nothing",
    ],
    [
      'an object and a record',
      [hit('B'), empty('A')],
      "ticket T-1 stands in the object read by its name; the service's record of the key says that there is nothing",
    ],
    [
      'two readings of one worth',
      [hit('B'), empty('B')],
      'ticket T-1 stands in the object read by its name; the object read by its name says that there is nothing',
    ],
    [
      'a record and a list that had all its time',
      [hit('A'), empty('C', LATE)],
      "ticket T-1 stands in the service's record of the key; the list says that there is nothing",
    ],
    [
      'an object and a final word',
      [hit('B'), aborted],
      'ticket T-1 exists; the service says that every attempt came to nothing',
    ],
    [
      'an object and a task that works',
      [hit('B'), task('working')],
      'ticket T-1 exists; its task says working',
    ],
    [
      'an object and a task that failed',
      [hit('B'), task('failed')],
      'ticket T-1 exists; its task says failed',
    ],
    [
      'a task that is done and a list without it',
      [task('completed'), empty('C')],
      'its task says completed; the list says that there is nothing',
    ],
    ['two tasks', [task('completed'), task('failed')], 'its task says completed; its task says failed'],
    [
      'a task that is done and a final word',
      [task('completed'), aborted],
      'its task says completed; the service says that every attempt came to nothing',
    ],
  ])('%s', (_, latest, facts) => {
    expect(said(latest)).toBe(`the evidence disagrees: ${facts}`)
    expect(said([...latest].reverse())).not.toBeNull()
  })
})

describe('no contradiction is', () => {
  it.each<[string, Seen[]]>([
    ['a task that is done, and its result', [task('completed', { artifact: 'a-5' })]],
    ['an object, and a list that may be behind', [hit('B'), empty('C')]],
    ['an object, and a search without it', [hit('A'), empty('D', LATE)]],
    ['an object, and a task whose record is gone', [hit('B'), task('not_found')]],
    ['a task that is done, and one whose record is gone', [task('completed'), task('not_found')]],
    ['a task that is done, and a search without it', [task('completed'), empty('D')]],
    ['a task that works, and nothing to be seen yet', [task('working'), empty('C')]],
    ['a task that works and names what it works on', [task('working', {}, 'B', [aMatch()])]],
    [
      'an answer that is not all there is',
      [hit('C'), { ...empty('B'), completeness: 'partial', why: 'cut' } as Seen],
    ],
  ])('%s', (_, latest) => {
    expect(said(latest)).toBeNull()
  })

  it('a final word of some attempts, for another may have made the object', () => {
    const some = aReading(
      { grade: 'A', source: 'key' },
      whole({ statements: [{ says: 'aborted', attempts: [1] }] }),
    )
    const two = { attempts: [anAttempt(1), anAttempt(2)] }
    expect(said([hit('B'), some], two)).toBeNull()
    expect(said([task('completed'), some], two)).toBeNull()
  })
})

describe('what is gone', () => {
  const goneBy = (over: Partial<VerdictQuestion>) => {
    const verdict = judge(aQuestion([empty('B')], over))
    return verdict.rule === 'record_gone' ? verdict.reason : null
  }
  const gone = 'is on file, and what was asked does not show it: its record is gone'

  it('is told by its id, else by its receipt', () => {
    const attempts = [anAttempt(1), anAttempt(2, { end: 'applied' })]
    expect(goneBy({ knownIds: [anId('T-9')], attempts })).toBe(`ticket T-9 ${gone}`)
    expect(goneBy({ attempts })).toBe(`a receipt of attempt 2 ${gone}`)
    expect(goneBy({ earlier: [empty('C'), hit('C')] })).toBe(`ticket T-1 ${gone}`)
    expect(goneBy({})).toBeNull()
  })

  it('is nothing that was seen before of another operation', () => {
    expect(goneBy({ earlier: [hit('C')], boundTo: () => 'ticket-2' })).toBeNull()
  })
})
