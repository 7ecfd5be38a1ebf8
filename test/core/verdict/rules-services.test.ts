import { describe, expect, it } from 'vitest'
import { judge } from '../../../src/core/verdict.js'
import { NOON } from '../builders.js'
import { aMatch, anAttempt, anId, anOperation, aQuestion, aReading, MINUTE, whole } from './builders.js'

describe('what the service says of its task', () => {
  const told = (remote: Parameters<typeof whole>[0]) => aQuestion([aReading({ grade: 'B' }, whole(remote))])

  it('as working waits for the service, and as done confirms', () => {
    const knownIds = [anId('app@rev27')]
    const working = told({ remote: { state: 'working', says: 'progressing 3/5' } })
    expect(judge({ ...working, knownIds })).toMatchObject({ waits_for: 'service', rule: 'remote_task' })
    expect(judge({ ...working, knownIds }).reason).toBe(
      'still running remotely (progressing 3/5): look again',
    )
    const done = told({ remote: { state: 'completed', says: 'deployed 5/5' } })
    expect(judge({ ...done, knownIds })).toMatchObject({
      verdict: 'confirmed',
      reason: 'its task says deployed 5/5',
    })
  })

  it('H5: as working while its result is there contradicts itself', () => {
    const remote = { state: 'working' as const, says: 'working', artifact: 'a-5' }
    const verdict = judge(told({ remote }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'disagreement', waits_for: 'person' })
    expect(verdict.reason).toContain('its status says working, and its result exists: a-5')
  })

  it('as not found says nothing: the work may still be running', () => {
    const verdict = judge(told({ remote: { state: 'not_found', says: 'not found or expired' } }))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'remote_task' })
    expect(verdict.reason).toContain('may still be running')
  })

  it('as failed means what its contract says, for one attempt', () => {
    const failed = { state: 'failed' as const, says: 'failed' }
    expect(judge(told({ remote: failed })).verdict).toBe('inconclusive')
    const clean = told({ remote: { ...failed, left_nothing: true } })
    expect(judge(clean)).toMatchObject({ verdict: 'not_applied', attempts: [1] })
    expect(judge({ ...clean, attempts: [anAttempt(1), anAttempt(2)] }).verdict).toBe('inconclusive')
  })
})

describe('what the service says for good', () => {
  const says = (attempts: readonly number[] | 'all', seen = {}) =>
    aReading({ grade: 'A', at: NOON + MINUTE, seen }, whole({ statements: [{ says: 'aborted', attempts }] }))

  it('counts at once, for the attempts it names', () => {
    expect(judge(aQuestion([says([1])]))).toMatchObject({ verdict: 'absent', rule: 'final_statement' })
    const two = { attempts: [anAttempt(1), anAttempt(2)], operation: anOperation({ attempt: 2 }) }
    expect(judge(aQuestion([says([2])], two))).toMatchObject({ verdict: 'not_applied', attempts: [2] })
  })

  it('of all attempts meant those there were then', () => {
    const two = { attempts: [anAttempt(1), anAttempt(2)], operation: anOperation({ attempt: 2 }) }
    expect(judge(aQuestion([says('all')], two))).toMatchObject({ verdict: 'not_applied', attempts: [1] })
    expect(judge(aQuestion([says('all', { attempts: 2 })], two)).verdict).toBe('absent')
  })

  it('against an object that is there is a contradiction', () => {
    const list = aReading({ grade: 'C', at: NOON + MINUTE }, whole({ matches: [aMatch()] }))
    expect(judge(aQuestion([says([1]), list]))).toMatchObject({ rule: 'disagreement' })
  })
})

describe('sources that disagree', () => {
  it('settle nothing, and both are shown', () => {
    const disagreements = ['time has 2.8.0-rc.1 (2026-03-10)', 'versions does not have 2.8.0-rc.1']
    const verdict = judge(aQuestion([aReading({ grade: 'B' }, whole({ disagreements }))]))
    expect(verdict).toMatchObject({ verdict: 'inconclusive', rule: 'disagreement', facts: disagreements })
    expect(verdict.reason).toContain('the evidence disagrees')
  })

  it('are the index with it and the record without it, not the record with it and the index behind', () => {
    const hit = whole({ matches: [aMatch()] })
    const index = [aReading({ grade: 'C' }, hit), aReading({ grade: 'B' }, whole())]
    expect(judge(aQuestion(index))).toMatchObject({ rule: 'disagreement' })
    const record = [aReading({ grade: 'B' }, hit), aReading({ grade: 'C' }, whole())]
    expect(judge(aQuestion(record)).verdict).toBe('confirmed')
  })
})
