import { describe, expect, it } from 'vitest'
import { createTimes } from '../../../src/cli/output/times.js'
import { NOON } from '../fake-io.js'

describe('times', () => {
  it('follow the rules of the zone, summer and winter', () => {
    const berlin = createTimes('Europe/Berlin', NOON)
    expect(berlin.exact(Date.parse('2026-07-01T00:00:00Z'))).toBe('2026-07-01T02:00:00.000+02:00')
    expect(berlin.exact(Date.parse('2026-01-01T23:30:00Z'))).toBe('2026-01-02T00:30:00.000+01:00')
    expect(createTimes('America/St_Johns', NOON).exact(NOON)).toBe('2026-03-01T08:30:00.000-03:30')
    expect(createTimes('UTC', NOON).exact(NOON)).toBe('2026-03-01T12:00:00.000Z')
  })

  it('are said as people say them, before and after now', () => {
    const { relative } = createTimes(undefined, NOON)
    expect([5_000, 90_000, 3_600_000, 100_000_000, 30 * 86_400_000].map(age => relative(NOON - age))).toEqual(
      ['5s ago', '1m ago', '1h ago', '1d 3h ago', '30d ago'],
    )
    expect(relative(NOON + 12_000)).toBe('in 12s')
  })
})
