import { describe, expect, it } from 'vitest'
import type { Seen } from '../../../src/core/observation.js'
import { judge, type VerdictQuestion } from '../../../src/core/verdict.js'
import { NOON } from '../builders.js'
import { anAttempt, anId, anOperation, aQuestion, aReading, MINUTE, type Read, whole } from './builders.js'

const silent = (at: number, read: Read = {}, over: object = {}) => aReading({ at, ...read }, whole(over))
const two = { attempts: [anAttempt(1), anAttempt(2)], operation: anOperation({ attempt: 2 }) }

describe('a final word of the service', () => {
  const says = (attempts: readonly number[] | 'all', read: Read = {}, over: object = {}) =>
    aReading(
      { grade: 'A', at: NOON + MINUTE, ...read },
      { ...whole({ statements: [{ says: 'aborted', attempts }] }), ...over },
    )

  it('is told with the attempts it names', () => {
    expect(judge(aQuestion([says([1])])).reason).toBe('the service says that attempt 1 came to nothing')
    expect(judge(aQuestion([says([1, 2])], two)).reason).toBe(
      'the service says that attempts 1, 2 came to nothing',
    )
    expect(judge(aQuestion([says([2])], two)).reason).toBe(
      'the service says that attempt 2 came to nothing; the others are still in doubt',
    )
  })

  it('holds when it was said in a look before', () => {
    expect(judge(aQuestion([silent(NOON + MINUTE)], { earlier: [says([1])] })).verdict).toBe('absent')
  })

  it.each<[string, Seen]>([
    ['a list says it', says([1], { grade: 'C' })],
    ['it is not all there is', says([1], {}, { completeness: 'partial', why: 'cut' })],
    ['it was said elsewhere', says([1], { scope: 'us' })],
    ['it names others', says([2])],
  ])('counts for nothing where %s', (_, earlier) => {
    const operation = anOperation({ repeat: { kind: 'idempotency_key', retention_ms: 1, scope: 'eu' } })
    expect(judge(aQuestion([silent(NOON + MINUTE)], { earlier: [earlier], operation })).verdict).toBe(
      'inconclusive',
    )
  })

  it('of some says nothing while another attempt may be sent, and nothing where none is in doubt', () => {
    const running = { ...two, operation: anOperation({ attempt: 2, status: 'in_flight' }) }
    expect(judge(aQuestion([says([2])], running)).rule).not.toBe('some_came_to_nothing')
    const settled = { attempts: [anAttempt(1, { end: 'not_applied' })] }
    expect(judge(aQuestion([says([1])], settled))).toMatchObject({
      rule: 'proved_absent',
      verdict: 'inconclusive',
    })
  })
})

describe('where the operation was made', () => {
  const reasonOf = (scope: string | null, over: Partial<VerdictQuestion>) => {
    const { rule, reason } = judge(aQuestion([silent(NOON, { scope })], over))
    return rule === 'asked_elsewhere' ? reason : null
  }
  const keyed = anOperation({ repeat: { kind: 'idempotency_key', retention_ms: 1, scope: 'eu' } })

  it('is the scope of its ids and of its key', () => {
    expect(reasonOf('us', { operation: keyed })).toBe(
      'asked in another session or scope (us) than the one that made it (eu)',
    )
    expect(reasonOf('eu', { operation: keyed })).toBeNull()
    expect(reasonOf('us', { operation: keyed, knownIds: [anId('T-1', { scope: 'us' })] })).toBeNull()
  })

  it('is not known where neither names one, or the source knows none', () => {
    expect(reasonOf('us', {})).toBeNull()
    expect(reasonOf('us', { knownIds: [anId()] })).toBeNull()
    expect(reasonOf(null, { operation: keyed })).toBeNull()
    expect(reasonOf('us', { operation: anOperation({ repeat: null }) })).toBeNull()
    const idempotent = anOperation({ repeat: { kind: 'idempotent' } })
    expect(reasonOf('us', { operation: idempotent })).toBeNull()
  })
})
