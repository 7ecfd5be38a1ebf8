import { describe, expect, it } from 'vitest'
import {
  countOf,
  limitOf,
  quietSince,
  type StallConfig,
  taskLimitOf,
} from '../../../src/core/stall/limits.js'
import { NOON } from '../builders.js'
import { HOUR, MINUTE, prepared, SECOND } from './subjects.js'

const CONFIG: StallConfig = {
  defaults: { never_sent: 4 * MINUTE, attempt_overdue: 5 * MINUTE, loop_monologue: 5 },
  phases: { release: { never_sent: 3 * MINUTE, loop_monologue: 7 }, empty: {} },
}

describe('the limit of an operation', () => {
  const row = (over: Parameters<typeof prepared>[0]) => prepared(over).operation

  it('of an attempt is its time-out, which limits nothing else, unless its tool declares one', () => {
    const timed = { phase: 'release', timeout_ms: 30 * SECOND }
    expect(limitOf('attempt_overdue', row(timed), CONFIG)).toEqual({ ms: 30 * SECOND, from: 'timeout' })
    expect(limitOf('never_sent', row(timed), CONFIG)).toEqual({ ms: 3 * MINUTE, from: 'phase' })
    const contract = { stall: { attempt_overdue: MINUTE } }
    expect(limitOf('attempt_overdue', row({ ...timed, contract }), CONFIG)).toEqual({
      ms: MINUTE,
      from: 'tool',
    })
  })

  it('is that of its own phase, and where there is none no phase counts', () => {
    const phases = { null: { never_sent: 1 } }
    expect(limitOf('never_sent', row({}), { phases })).toEqual({ ms: 15 * MINUTE, from: 'default' })
    expect(limitOf('never_sent', row({ phase: 'release' }), {})).toEqual({ ms: 15 * MINUTE, from: 'default' })
  })
})

describe('the limit of a task', () => {
  it.each([
    ['its phase', 'release', 'never_sent', { ms: 3 * MINUTE, from: 'phase' }],
    ['the configuration where the phase has none', 'empty', 'never_sent', { ms: 4 * MINUTE, from: 'config' }],
    [
      'the configuration where nobody named the phase',
      'build',
      'never_sent',
      { ms: 4 * MINUTE, from: 'config' },
    ],
    ['the configuration where no phase runs', null, 'never_sent', { ms: 4 * MINUTE, from: 'config' }],
    ['the program', 'release', 'no_progress', { ms: HOUR, from: 'default' }],
  ] as const)('is that of %s', (_, phase, rule, limit) => {
    expect(taskLimitOf(rule, CONFIG, phase)).toEqual(limit)
  })
})

describe('the count of a loop', () => {
  it.each([
    ['its tool', { declared: { loop_monologue: 9 }, phase: 'release' }, { count: 9, from: 'tool' }],
    ['its phase', { declared: {}, phase: 'release' }, { count: 7, from: 'phase' }],
    ['the configuration', { declared: null, phase: 'build' }, { count: 5, from: 'config' }],
    ['the configuration where no phase runs', { declared: null, phase: null }, { count: 5, from: 'config' }],
  ] as const)('is that of %s', (_, given, count) => {
    expect(countOf('loop_monologue', { ...given, config: CONFIG })).toEqual(count)
  })

  it('is that of the program where nobody set one', () => {
    expect(countOf('loop_monologue', { declared: null, phase: 'release', config: {} })).toEqual({
      count: 3,
      from: 'default',
    })
  })
})

describe('what moved after this moment stands still by no limit', () => {
  it.each<[string, StallConfig, number]>([
    ['the shortest of the defaults', {}, 3 * MINUTE],
    ['one of the configuration, where that is shorter', { defaults: { no_progress: MINUTE } }, MINUTE],
    ['one of any phase, where that is shorter', { phases: { a: {}, b: { never_sent: SECOND } } }, SECOND],
    [
      'the shortest of the defaults, where the others are longer',
      { defaults: { no_progress: 9 * HOUR } },
      3 * MINUTE,
    ],
    ['none that is not about standing still', { defaults: { polling: 1, deadline_passed: 0 } }, 3 * MINUTE],
  ])('so far back as %s', (_, config, ms) => {
    expect(quietSince(config, NOON)).toBe(NOON - ms)
  })
})
