import { describe, expect, it } from 'vitest'
import type { Remote } from '../../../src/core/observation.js'
import { judge, type VerdictQuestion } from '../../../src/core/verdict.js'
import { aMatch, anAttempt, anId, aQuestion, aReading, whole } from './builders.js'

const asked = (remote: Remote, over: object = {}) =>
  aReading({ grade: 'B', source: 'task' }, whole({ remote, ...over }))
const told = (state: Remote['state'], over: Partial<Remote> = {}): Remote => ({ state, says: 'so', ...over })
const judged = (remote: Remote, over: Partial<VerdictQuestion> = {}, seen: object = {}) =>
  judge(aQuestion([asked(remote, seen)], over))

describe('the task that a service made of it', () => {
  it.each<[Remote, string]>([
    [told('input_needed'), 'the service waits for an answer: so'],
    [told('failed'), 'its task says so; whether that left something behind, nobody declared'],
    [told('cancelled'), 'its task says so; whether that left something behind, nobody declared'],
    [told('not_found'), 'its record is gone or expired: the work may still be running, or be done'],
  ])('that is %o waits for a person', (remote, reason) => {
    expect(judged(remote)).toMatchObject({
      rule: 'remote_task',
      verdict: 'inconclusive',
      reason,
      waits_for: 'person',
    })
  })

  it('that works is asked again after a minute', () => {
    const question = aQuestion([asked(told('working'))])
    expect(judge(question)).toMatchObject({ next_look_at: question.now.at + 60_000 })
  })

  it('is found beside other answers', () => {
    const other = aReading({ grade: 'C' }, { ...whole(), completeness: 'partial', why: 'a page is missing' })
    expect(judge(aQuestion([other, asked(told('working'))])).rule).toBe('remote_task')
  })

  it.each(['failed', 'cancelled'] as const)(
    'that %s and left nothing takes the one attempt out of doubt',
    state => {
      const clean = told(state, { left_nothing: true })
      expect(judged(clean)).toMatchObject({
        verdict: 'not_applied',
        attempts: [1],
        reason: 'its task says so, which leaves nothing behind',
      })
      expect(judged(clean, { attempts: [anAttempt(1, { end: 'not_applied' }), anAttempt(2)] })).toMatchObject(
        {
          attempts: [2],
        },
      )
    },
  )

  it('that left nothing says so of no attempt in particular where several are in doubt, or none', () => {
    const clean = told('failed', { left_nothing: true })
    expect(judged(clean, { attempts: [anAttempt(1), anAttempt(2)] })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'its task says so and left nothing; 2 attempts are in doubt, and which one it was nobody knows',
    })
    expect(judged(clean, { attempts: [anAttempt(1, { end: 'not_applied' })] }).reason).toBe(
      'its task says so and left nothing; 0 attempts are in doubt, and which one it was nobody knows',
    )
  })

  it('that left nothing proves nothing against a receipt', () => {
    const attempts = [anAttempt(1, { end: 'applied' })]
    expect(judged(told('failed', { left_nothing: true }), { attempts })).toMatchObject({
      verdict: 'inconclusive',
      reason: 'its task says so and left nothing, and a receipt of attempt 1 is on file',
    })
  })

  it('that is not found leaves the word to an object that is', () => {
    const list = aReading({ grade: 'C' }, whole({ matches: [aMatch()] }))
    expect(judge(aQuestion([asked(told('not_found')), list]))).toMatchObject({ rule: 'found' })
    expect(judged(told('not_found'), {}, { matches: [aMatch()] })).toMatchObject({ rule: 'remote_task' })
  })
})

describe('a task that is done', () => {
  it('gives its result and the ids it names, each once', () => {
    const verdict = judged(told('completed'), {}, { matches: [aMatch(), aMatch()], result: { id: 7 } })
    expect(verdict).toMatchObject({
      verdict: 'confirmed',
      rule: 'remote_task',
      reason: 'its task says so',
      external_ids: [anId()],
      duplicates: false,
      result: { id: 7 },
    })
    expect(judged(told('completed'))).not.toHaveProperty('result')
  })

  it('and left several objects is confirmed with all of them', () => {
    const matches = [aMatch(), aMatch({ external_id: anId('T-2') })]
    expect(judged(told('completed'), {}, { matches })).toMatchObject({
      external_ids: [anId(), anId('T-2')],
      duplicates: true,
    })
  })
})
