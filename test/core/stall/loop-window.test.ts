import { describe, expect, it } from 'vitest'
import { taskStallsOf } from '../../../src/core/stall/stalls.js'
import { NOON } from '../builders.js'
import { rulesOf, subjectOf, type Told, times } from './actions.js'
import { HOUR, MINUTE, SECOND } from './subjects.js'

const call = (tool: string, over: Partial<Told> = {}): Told => ({
  tool,
  input: {},
  result: 'same',
  outcome: 'ok',
  ...over,
})
const [a, b] = [call('a'), call('b')]
const SAME = 'loop_same_action_same_result'

describe('what counts for a loop', () => {
  it('is what came after the last progress', () => {
    const told = [...times(3, () => a), ...times(4, () => ({ ...a, stall: {} }))]
    const progressed = (at: number) => rulesOf(told, { task: { progress_at: at } })
    expect(progressed(NOON + 20 * SECOND)).toEqual([SAME])
    expect(progressed(NOON + 60 * SECOND)).toEqual([])
  })

  it('is a call with its answer, or with how it ended', () => {
    expect(rulesOf(times(4, () => ({ tool: 'a', outcome: 'ok' })))).toEqual([SAME])
    expect(rulesOf(times(4, () => ({ tool: 'a', result: 'x' })))).toEqual([SAME])
    expect(rulesOf(times(4, () => ({ tool: 'a' })))).toEqual([])
  })

  it('that fails is told once, by the rule about failures, and for one tool alone', () => {
    const failing = call('a', { outcome: 'error' })
    expect(rulesOf(times(4, () => failing))).toEqual(['loop_same_action_error'])
    expect(rulesOf([failing, call('b', { outcome: 'error' }), call('c', { outcome: 'error' })])).toEqual([])
  })
})

describe('a loop of several', () => {
  const before = times(6, i => call(`once-${i}`))

  it('begins where it began to come round', () => {
    const [stall] = taskStallsOf(subjectOf([...before, a, b, a, b, a, b]))
    expect(stall).toMatchObject({
      rule: 'loop_alternating',
      since: NOON + 60 * SECOND,
      facts: {
        period: 2,
        times: 3,
        first_at: '2026-03-10T12:01:00.000Z',
        last_at: '2026-03-10T12:01:50.000Z',
      },
    })
  })

  it('is none where the same call comes over and over after others', () => {
    expect(rulesOf([...before, ...times(8, () => a)])).toEqual([SAME])
  })

  it('is found though a part of it comes round by itself', () => {
    const round = [call('c'), a, b, a, b]
    expect(rulesOf([...round, ...round, ...round])).toEqual(['loop_alternating'])
    expect(taskStallsOf(subjectOf([...round, ...round, ...round]))[0]?.facts).toMatchObject({ period: 5 })
  })

  it('is counted inside the 64 steps that are kept', () => {
    const turns = times(80, i => (i % 2 === 0 ? a : b))
    expect(taskStallsOf(subjectOf(turns))[0]?.facts).toMatchObject({ times: 32 })
  })
})

describe('asking again on purpose', () => {
  const every = (ms: number, one: (i: number) => Partial<Told>, over: Parameters<typeof rulesOf>[1] = {}) =>
    rulesOf(
      times(10, i => ({ ...(i % 2 === 0 ? a : b), ...one(i), at: NOON + i * ms })),
      // with something open no rule but those of loops speaks of the task
      { ...over, recent: { open: 1, ...over.recent } },
    )

  it('is allowed as long as the most patient of the tools that come round', () => {
    const stall = (i: number) => ({ stall: { polling: i % 2 === 0 ? MINUTE : HOUR } })
    expect(every(6 * MINUTE, stall)).toEqual([])
    expect(every(8 * MINUTE, stall)).toEqual(['loop_alternating'])
  })

  it('is so where one of the steps declared a wait, by the limit of the phase that runs', () => {
    const wait = (i: number) => (i % 2 === 0 ? { wait_until: NOON } : {})
    const config = { phases: { slow: { polling: 9 * HOUR } } }
    expect(every(6 * MINUTE, wait)).toEqual([])
    expect(every(8 * MINUTE, wait)).toEqual(['loop_alternating'])
    expect(every(8 * MINUTE, wait, { config, recent: { phase: 'slow' } })).toEqual([])
  })
})
