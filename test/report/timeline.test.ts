import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '../../src/core/documents/timeline.js'
import { reportHtml } from '../../src/report/html/report.js'
import { timelinePicture } from '../../src/report/html/timeline.js'
import { takeoverReport } from '../../src/report/takeover.js'
import { NOON } from '../core/builders.js'
import { record } from './record.js'
import { PLAIN } from './style.js'

/** A row that was written down so many milliseconds after noon, and nothing more. */
function rowAt(ms: number, id = `op-${ms}`): TimelineRow {
  const at = new Date(NOON + ms).toISOString()
  return {
    operation_id: id,
    tool: 'mail.send',
    status: 'not_executed',
    in_doubt: false,
    created_at: at,
    settled_at: at,
    lease_ends_at: null,
    attempts: [],
    evidence: [],
  }
}

function drawn(rows: readonly TimelineRow[], now: number): string {
  return timelinePicture({ rows, left_out: 0 }, NOON + now, PLAIN)
}

describe('the picture of time', () => {
  it('of many operations is several, each with its times at its head, so that it fits on paper', () => {
    const rows = Array.from({ length: 41 }, (_, n) => rowAt(n * 60_000))
    const pictures = drawn(rows, 41 * 60_000)
      .split('</svg>')
      .slice(0, -1)
    expect(pictures.map(one => one.match(/<g>/g)?.length)).toEqual([18, 18, 5])
    for (const one of pictures) expect(one).toContain('>12:00:00</text>')
    expect(pictures[1]).toContain('19 to 36 of 41 operations')
    const ids = pictures.flatMap(one => [...one.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('names the day it begins with, and parts of a second where seconds do not tell its times apart', () => {
    const slow = drawn([rowAt(0), rowAt(60_000)], 120_000)
    expect(slow).toContain(`>from ${new Date(NOON).toISOString().slice(0, 10)}<`)
    expect(slow).toContain('>12:00:00</text>')
    const quick = drawn([rowAt(0), rowAt(40), rowAt(50), rowAt(60)], 70)
    expect(quick).toContain('>00:00.000</text>')
    expect(quick).toContain('>40ms</text>')
    expect(quick).not.toContain('>0s</text>')
  })

  it('says the day of each time where they are of several days', () => {
    const days = drawn([rowAt(0), rowAt(30 * 3_600_000)], 60 * 3_600_000)
    const [first, last] = [0, 60 * 3_600_000].map(ms => new Date(NOON + ms).toISOString())
    for (const time of [first, last])
      expect(days).toContain(`>${time?.slice(5, 16).replace('T', ' ')}</text>`)
  })

  it('writes an id and its state above its row, both ends of the id kept', () => {
    const picture = drawn([rowAt(0, `first-${'x'.repeat(80)}-last`)], 1_000)
    const labels = [...picture.matchAll(/<tspan class="(?:roomy|short)">([^<]+)</g)].map(
      ([, label = '']) => label,
    )
    expect(labels.map(({ length }) => length)).toEqual([60, 40])
    for (const label of labels) expect(label).toMatch(/^first-x+…x+-last · not executed$/)
    expect(drawn([rowAt(0, 'short-one')], 1_000)).toContain(
      '<tspan class="roomy">short-one · not executed</tspan>',
    )
  })
})

it('a report counts what was abandoned by itself: nobody knows that it was not executed', () => {
  const report = takeoverReport(record({ told: [{ id: 'given-up', becomes: 'abandoned' }] }))
  const page = reportHtml({ report, timeline: { rows: [], left_out: 0 }, ledger: 'l', now: NOON }, PLAIN)
  expect(page).toContain('<b>0</b>not executed')
  expect(page).toContain('<b>1</b>abandoned')
})
