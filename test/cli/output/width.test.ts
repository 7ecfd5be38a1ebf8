import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { layOut, type Room } from '../../../src/cli/output/layout.js'
import { cutTo, pad, prepareWidths, widthOf } from '../../../src/cli/output/width.js'
import { safe } from '../../../src/core/safe-text.js'

await prepareWidths([safe('部')])

function atLeast({ natural, least = natural }: Room = { natural: 0, rank: 0 }): number {
  return Math.min(natural, least)
}

describe('widths', () => {
  it('count columns, not characters', () => {
    expect(['abc', 'größe', '部署', '👩‍💻', 'e\u0301', '␛[2J', ''].map(text => widthOf(safe(text)))).toEqual([
      3, 5, 4, 2, 1, 4, 0,
    ])
  })

  it('are kept by cutting and filling up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
        const shown = safe(text)
        expect(widthOf(cutTo(shown, columns))).toBeLessThanOrEqual(columns)
        expect(widthOf(pad(cutTo(shown, columns), columns, 'right'))).toBe(columns)
        if (widthOf(shown) <= columns) expect(cutTo(shown, columns)).toBe(shown)
      }),
      { numRuns: 2_000 },
    )
  })

  it('of a table leave a narrow column in where a wide one needed more had to go', () => {
    const rooms: Room[] = [
      { natural: 26, rank: 0 },
      { natural: 33, rank: 0 },
      { natural: 4, rank: 2 },
      { natural: 60, least: 20, rank: 1 },
    ]
    expect(layOut(rooms, 80)).toEqual({
      widths: new Map([
        [0, 26],
        [1, 33],
        [2, 4],
      ]),
      leftOut: [3],
    })
  })

  it('of a table fit the terminal whenever what must stay fits', () => {
    const room = fc.record({
      natural: fc.integer({ min: 1, max: 60 }),
      least: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      rank: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.array(room, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 10, max: 150 }),
        (rooms, columns) => {
          const given: Room[] = rooms.map(({ least, ...rest }) =>
            least === undefined ? rest : { ...rest, least },
          )
          const { widths, leftOut } = layOut(given, columns)
          const total = [...widths.values()].reduce((a, b) => a + b, 0) + 2 * (widths.size - 1)
          const mustStay = given.filter(one => one.rank === 0)
          const leastOfAll =
            mustStay.reduce((sum, one) => sum + Math.min(one.natural, one.least ?? one.natural), 0) +
            2 * (mustStay.length - 1)
          if (mustStay.length > 0 && leastOfAll <= columns) expect(total).toBeLessThanOrEqual(columns)
          expect(widths.size + leftOut.length).toBe(rooms.length)
          const narrowest = [...widths.keys()].reduce((sum, i) => sum + atLeast(given[i]), 0)
          for (const i of leftOut)
            expect(narrowest + 2 * widths.size + atLeast(given[i])).toBeGreaterThan(columns)
          for (const i of leftOut) expect(given[i]?.rank).toBeGreaterThan(0)
          for (const [i, width] of widths) {
            expect(width).toBeLessThanOrEqual(given[i]?.natural ?? 0)
            if (given[i]?.least === undefined) expect(width).toBe(given[i]?.natural)
          }
        },
      ),
      { numRuns: 3_000 },
    )
  })
})

describe('texts that need no table of widths', () => {
  it('are as wide as the table says', async () => {
    const { default: stringWidth } = await import('string-width')
    for (const text of ['in_flight → unknown', '“quoted” – said', 'größe…', '␛[2J', 'Ωмега'])
      expect(widthOf(safe(text)), text).toBe(stringWidth(text))
  })
})
