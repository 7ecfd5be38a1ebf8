import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAge, formatDuration, parseDuration } from '../../src/core/duration.js'

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['3d', 259_200_000],
    ['1w', 604_800_000],
    ['0s', 0],
  ])('are read from %s', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs)
  })

  it.each([
    '',
    '10',
    '10x',
    'm',
    '-5m',
    '5m-',
    '1h,30m',
    '1e3s',
    '９m',
    '99999999999999999w',
    'P1D',
    ' ',
    '30m30m',
    '1m1h',
    '1..5h',
    '1.h',
  ])('are not read from %j', text => {
    expect(parseDuration(text)).toBeUndefined()
  })

  it('are written so that they are read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 13 }), durationMs => {
        expect(parseDuration(formatDuration(durationMs))).toBe(durationMs)
      }),
    )
  })

  it('are said as ages in two units at most', () => {
    const ages = [
      0,
      999,
      59_999,
      60_000,
      3_599_999,
      3_600_000,
      12_000_000,
      86_400_000,
      190_000_000,
      14 * 86_400_000,
      -5,
    ]
    expect(ages.map(formatAge)).toEqual([
      '0s',
      '0s',
      '59s',
      '1m',
      '59m',
      '1h',
      '3h 20m',
      '1d',
      '2d 4h',
      '14d',
      '0s',
    ])
  })
})
