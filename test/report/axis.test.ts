import { describe, expect, it } from 'vitest'
import { axisOf } from '../../src/report/html/axis.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the time axis of a picture', () => {
  it('keeps the order of all moments, from one end to the other', () => {
    const moments = [0, 5, MINUTE, HOUR, HOUR + 3, 9 * HOUR]
    const { place } = axisOf(moments, [], 600)
    const places = moments.map(place)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect([places[0], places.at(-1)]).toEqual([0, 600])
  })

  it('draws an idle stretch short, and says how long it was', () => {
    const { place, breaks } = axisOf([0, MINUTE, 8 * HOUR], [{ from: 0, to: MINUTE }], 600)
    expect(breaks).toEqual([{ place: 578, ms: 8 * HOUR - MINUTE }])
    expect(place(MINUTE)).toBe(556)
  })

  it('never cuts a stretch in which something ran', () => {
    const { breaks, place } = axisOf([0, MINUTE, 8 * HOUR], [{ from: 0, to: 8 * HOUR }], 600)
    expect(breaks).toEqual([])
    expect(place(4 * HOUR)).toBe(300)
  })

  it('keeps labels apart', () => {
    const { ticks } = axisOf(
      Array.from({ length: 300 }, (_, i) => i * 1_000),
      [{ from: 0, to: 300_000 }],
      600,
    )
    const gaps = ticks.slice(1).map(({ place }, i) => place - (ticks[i]?.place ?? 0))
    expect(gaps.length).toBeGreaterThan(2)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(70)
  })

  it('has a place for a single moment, and none for no moment', () => {
    expect(axisOf([7], [], 600)).toMatchObject({ ticks: [{ at: 7, place: 300 }], breaks: [] })
    expect(axisOf([], [], 600)).toMatchObject({ ticks: [], breaks: [] })
  })
})
