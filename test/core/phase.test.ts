import { describe, expect, it } from 'vitest'
import { judgePhases, PHASE_RULES, type Phase, type SeenNow } from '../../src/core/phase.js'
import { NOON } from './builders.js'

const BUILD: Phase = {
  task_id: 'task-1',
  name: 'build',
  input: 'git:.',
  input_revision: 'rev-1',
  status: 'completed',
  artifact: 'file:out.js',
  artifact_digest: 'sha256:aa',
  based_on: [],
  result: null,
  evidence: null,
  version: 2,
  created_at: NOON,
  updated_at: NOON + 5,
}
const AS_IT_WAS: SeenNow = { input_revision: 'rev-1', artifact_digest: 'sha256:aa', problem: null }

const phase = (over: Partial<Phase> = {}): Phase => ({ ...BUILD, ...over })

function judged(phases: readonly Phase[], seen: Readonly<Record<string, Partial<SeenNow>>> = {}) {
  const looks = phases.map(({ name }) => [name, { ...AS_IT_WAS, ...seen[name] }] as const)
  return judgePhases(phases, new Map(looks)).map(({ phase: { name }, state, why }) => [name, state, why])
}

describe('a phase that is completed', () => {
  it('is reusable while input and artifact are as they were', () => {
    expect(judged([phase()])).toEqual([['build', 'reusable', []]])
  })

  it.each<[string, Partial<Phase>, Partial<SeenNow>, string, string[]]>([
    ['it was never ended', { status: 'running' }, {}, 'running', ['it was begun and never ended']],
    ['it failed', { status: 'failed' }, {}, 'failed', ['it failed']],
    [
      'its input is another',
      {},
      { input_revision: 'rev-2' },
      'invalid',
      ['its input git:. was rev-1 and is rev-2'],
    ],
    [
      'its input is not there',
      { input: null },
      { input_revision: null },
      'invalid',
      ['its input  was rev-1 and is not there'],
    ],
    ['its artifact is gone', {}, { artifact_digest: null }, 'invalid', ['its artifact file:out.js is gone']],
    [
      'its artifact is another',
      {},
      { artifact_digest: 'sha256:bb' },
      'invalid',
      ['its artifact file:out.js was sha256:aa and is sha256:bb'],
    ],
    [
      'both are others',
      { artifact: null },
      { input_revision: 'rev-2', artifact_digest: 'sha256:bb' },
      'invalid',
      ['its input git:. was rev-1 and is rev-2', 'its artifact  was sha256:aa and is sha256:bb'],
    ],
    [
      'it could not be looked at',
      {},
      { input_revision: null, artifact_digest: null, problem: 'no such folder' },
      'not_checked',
      ['no such folder'],
    ],
    [
      'it failed and its input is another',
      { status: 'failed' },
      { input_revision: 'rev-2' },
      'failed',
      ['it failed'],
    ],
  ])('is not reused where %s', (_, over, now, state, why) => {
    expect(judged([phase(over)], { build: now })).toEqual([['build', state, why]])
  })

  it('that left nothing misses nothing', () => {
    const bare = phase({ artifact: null, artifact_digest: null })
    expect(judged([bare], { build: { artifact_digest: null } })).toEqual([['build', 'reusable', []]])
  })

  it('is not reused where nobody looked', () => {
    expect(judgePhases([phase()], new Map())).toMatchObject([
      { state: 'not_checked', why: ['nobody looked at its input and artifact'] },
    ])
  })

  it('shows long revisions short, those of forty characters whole', () => {
    const forty = 'a'.repeat(40)
    const [one] = judged([phase({ input_revision: forty })], { build: { input_revision: `${forty}b` } })
    expect(one).toEqual([
      'build',
      'invalid',
      [`its input git:. was ${forty} and is ${'a'.repeat(24)}…${'a'.repeat(7)}b`],
    ])
  })
})

describe('an artifact that a later phase changed on purpose', () => {
  const later = phase({ name: 'sign', artifact_digest: 'sha256:bb', updated_at: NOON + 5 })
  const seen = { build: { artifact_digest: 'sha256:bb' }, sign: { artifact_digest: 'sha256:bb' } }

  it('is explained by it', () => {
    expect(judged([phase(), later], seen)).toEqual([
      ['build', 'reusable', ['its artifact was replaced by sign']],
      ['sign', 'reusable', []],
    ])
  })

  it.each<[string, Partial<Phase>]>([
    ['is not completed', { status: 'running' }],
    ['left another artifact', { artifact: 'file:other.js' }],
    ['left it otherwise than it is', { artifact_digest: 'sha256:cc' }],
    ['came before', { updated_at: NOON + 4 }],
  ])('is not explained by one that %s', (_, over) => {
    const all = judged([phase(), { ...later, ...over }], seen)
    expect(all.find(([name]) => name === 'build')?.[1]).toBe('invalid')
  })

  it('is not explained by itself, nor where it is gone', () => {
    expect(judged([phase()], { build: { artifact_digest: 'sha256:bb' } })[0]?.[1]).toBe('invalid')
    const gone = { build: { artifact_digest: null }, sign: { artifact_digest: 'sha256:bb' } }
    expect(judged([phase(), later], gone)[0]?.[2]).toEqual(['its artifact file:out.js is gone'])
    const none = phase({ artifact: null })
    expect(judged([none, { ...later, artifact: null }], seen)[0]?.[1]).toBe('invalid')
  })
})

describe('a phase that is built on another', () => {
  const test = phase({
    name: 'test',
    artifact: null,
    artifact_digest: null,
    based_on: [{ phase: 'build', artifact_digest: 'sha256:aa' }],
    created_at: NOON + 6,
  })
  const testIs = (over: Partial<Phase>, now: Partial<SeenNow> = {}) =>
    judged([phase(over), test], { build: now, test: { artifact_digest: null } }).at(-1)

  it('holds while that holds', () => {
    expect(testIs({})).toEqual(['test', 'reusable', []])
  })

  it('is invalid where that is not reusable, was made anew, or is not on record', () => {
    const why = (words: string) => ['test', 'invalid', [`build, on which it is built, ${words}`]]
    expect(testIs({ status: 'failed' })).toEqual(why('is failed'))
    expect(testIs({}, { problem: 'no such folder' })).toEqual(why('is not checked'))
    expect(testIs({ artifact_digest: 'sha256:bb' }, { artifact_digest: 'sha256:bb' })).toEqual(
      why('was made anew'),
    )
    expect(judged([test], { test: { artifact_digest: null } })).toEqual([why('is not on record')])
  })

  it('is judged in the order in which the phases were begun, whatever the order they come in', () => {
    const names = (phases: readonly Phase[]) => judged(phases, { test: { artifact_digest: null } })
    expect(names([test, phase()]).map(([name]) => name)).toEqual(['build', 'test'])
    const same = phase({ name: 'lint', updated_at: NOON + 1 })
    expect(names([phase(), same]).map(([name]) => name)).toEqual(['lint', 'build'])
  })

  it('comes to an end where each is built on the other', () => {
    const circle = phase({ based_on: [{ phase: 'test', artifact_digest: null }] })
    expect(judged([circle, test], { test: { artifact_digest: null } })).toEqual([
      ['build', 'invalid', ['test, on which it is built, is invalid']],
      ['test', 'invalid', ['build, on which it is built, is not on record']],
    ])
  })
})

it('each rule has an id and a title of its own', () => {
  for (const of of ['id', 'title'] as const)
    expect(new Set(PHASE_RULES.map(rule => rule[of])).size).toBe(PHASE_RULES.length)
})
