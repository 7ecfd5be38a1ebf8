import type { ReportDocument } from '../../core/documents/report.js'
import type { Timeline } from '../../core/documents/timeline.js'
import { said } from '../page/page.js'
import { reportPage } from '../page/report-page.js'
import { checkpointPicture } from './checkpoint-picture.js'
import { htmlDocument, type Tile } from './document.js'
import { html } from './escape.js'
import { evidenceList } from './evidence-list.js'
import { type HtmlStyle, line } from './parts.js'
import { type Block, blockOf } from './sections.js'
import { timelinePicture } from './timeline.js'
import { timelineLegend } from './timeline-legend.js'

export interface HtmlReport {
  readonly report: ReportDocument
  readonly timeline: Timeline
  readonly ledger: string
  readonly now: number
}

/** The takeover report as one HTML file: the page's sections, with pictures of time and of the checkpoint. */
export function reportHtml({ report, timeline, ledger, now }: HtmlReport, style: HtmlStyle): string {
  const page = reportPage(report)
  // The first thing that the page says stands at its head here.
  const sections = page.sections.map((section, i) => {
    const entries = i === 0 ? section.entries.slice(1) : section.entries
    return { ...section, entries: entries.filter(({ isDrawn }) => isDrawn !== true) }
  })
  const blocks = sections.map(section => blockOf(section, style))
  return htmlDocument(
    {
      title: `${report.task.task_id}: ${report.summary}`,
      heading: line(page.title, style),
      lead: line([said(report.summary)], style),
      tiles: tilesOf(report),
      blocks: withPictures(blocks, { report, timeline, ledger, now }, style),
      ledger,
      now,
    },
    style,
  )
}

function tilesOf(report: ReportDocument): Tile[] {
  const { unknown, stalled, in_flight, not_sent, confirmed, not_executed, abandoned } = report
  return [
    { count: unknown.length, what: 'unknown', isDoubt: true },
    { count: stalled.length, what: 'stalled', isDoubt: true },
    { count: in_flight.length, what: 'in flight', isDoubt: false },
    { count: not_sent.length, what: 'not started', isDoubt: false },
    { count: confirmed.length, what: 'confirmed', isDoubt: false },
    { count: not_executed.length, what: 'not executed', isDoubt: false },
    // Nobody knows of these, and nobody asks: that is neither.
    ...(abandoned.length === 0 ? [] : [{ count: abandoned.length, what: 'abandoned', isDoubt: false }]),
  ]
}

/** The checkpoint's picture stands above its words; that of time after what is open, before the history. */
function withPictures(
  blocks: readonly Block[],
  { report, timeline, now }: HtmlReport,
  style: HtmlStyle,
): Block[] {
  const time: Block[] =
    timeline.rows.length === 0
      ? []
      : [
          {
            heading: 'What was sent when',
            body: html`<div class="picture" role="region" aria-label="Timeline">${timelinePicture(timeline, now, style)}</div>${timelineLegend()}<h3>Attempts and evidence, one by one</h3>${evidenceList(timeline, style)}`,
          },
        ]
  const drawn = blocks.map(block =>
    block.heading === 'Checkpoint'
      ? { ...block, body: html`${checkpointPicture(report, style)}${block.body}` }
      : block,
  )
  const after = drawn.findIndex(({ tone }) => tone === 'past')
  const place = after === -1 ? drawn.length : after
  return [...drawn.slice(0, place), ...time, ...drawn.slice(place)]
}
