import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime, parseIsoTime, parseTimeGiven } from '../../src/core/iso-time.js'

describe('times', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T12:30Z', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01T12:30:15.25+01:00', '2026-03-01T11:30:15.250Z'],
    ['2026-03-01T12:30:15.123456789Z', '2026-03-01T12:30:15.123Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('are read from %s', (text, iso) => {
    expect(isoTime(parseIsoTime(text) ?? 0)).toBe(iso)
  })

  it.each([
    '',
    'today',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-03-00',
    '2026-03-01T12:30',
    '2026-03-01T25:00Z',
    '2026-3-1',
    '1767225600000',
    '2026-03-01 12:30Z',
    '+002026-03-01',
  ])('are not read from %j', text => {
    expect(parseIsoTime(text)).toBeUndefined()
  })

  it('are written so that they are read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), at => {
        expect(parseIsoTime(isoTime(at))).toBe(at)
      }),
    )
  })

  it('are a moment or a span from now', () => {
    expect(parseTimeGiven('2h')).toEqual({ kind: 'span', spanMs: 7_200_000 })
    expect(parseTimeGiven('2026-03-01')).toEqual({ kind: 'at', at: Date.UTC(2026, 2, 1) })
    expect(parseTimeGiven('2')).toBeUndefined()
  })
})
