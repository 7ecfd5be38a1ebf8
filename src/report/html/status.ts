import type { StatusDocument } from '../../core/documents/status.js'
import { said } from '../page/page.js'
import { statusPage } from '../page/status-page.js'
import { htmlDocument, type Tile } from './document.js'
import { type HtmlStyle, line } from './parts.js'
import { blockOf } from './sections.js'

interface HtmlStatus {
  readonly status: StatusDocument
  readonly ledger: string
  readonly now: number
}

/** What is open in the whole ledger, as one HTML file. */
export function statusHtml({ status, ledger, now }: HtmlStatus, style: HtmlStyle): string {
  const page = statusPage(status)
  // A terminal ends with what to type, under the eyes; a page begins with it.
  const sections = [...page.sections].sort((a, b) => Number(b.tone === 'next') - Number(a.tone === 'next'))
  return htmlDocument(
    {
      title: `agent-ledger: ${ledger}`,
      heading: line(page.title, style),
      lead: line([said(status.next.why)], style),
      tiles: tilesOf(status),
      blocks: sections.map(section => blockOf(section, style)),
      ledger,
      now,
    },
    style,
  )
}

function tilesOf({
  in_doubt,
  stalled,
  in_flight,
  not_sent,
  awaiting_approval,
  tasks,
}: StatusDocument): Tile[] {
  return [
    { count: in_doubt.count, what: 'in doubt', isDoubt: true },
    { count: stalled.reduce((sum, { count }) => sum + count, 0), what: 'stalled', isDoubt: true },
    { count: in_flight.count, what: 'in flight', isDoubt: false },
    { count: not_sent.count, what: 'not sent', isDoubt: false },
    { count: awaiting_approval, what: 'waiting for approval', isDoubt: false },
    { count: tasks.open, what: 'tasks open', isDoubt: false },
  ]
}
