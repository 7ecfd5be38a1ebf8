import type { AttemptItem, EvidenceItem } from '../../core/documents/show.js'
import type { Timeline, TimelineRow } from '../../core/documents/timeline.js'
import { storedEvidenceWords } from '../../core/given-evidence.js'
import { name, type Part, said, time, who, words } from '../page/page.js'
import { type Html, html, joined, NOTHING } from './escape.js'
import { type HtmlStyle, line, list } from './parts.js'

/** The same as the picture in words, with what was kept as evidence; each operation folded. */
export function evidenceList({ rows, left_out }: Timeline, style: HtmlStyle): Html {
  const more =
    left_out === 0
      ? NOTHING
      : html`<p>${line([words(`${left_out} more are settled and not shown.`)], style)}</p>`
  return html`<div class="fold">${joined(
    rows.map(row => rowList(row, style)),
    '\n',
  )}</div>${more}`
}

function rowList(
  { tool, operation_id, status, in_doubt, attempts, evidence }: TimelineRow,
  style: HtmlStyle,
): Html {
  const head: Part[] = [
    name(tool),
    words(' '),
    name(operation_id),
    words(
      `: ${in_doubt ? 'unknown' : status.replaceAll('_', ' ')}, ${attempts.length} sent, ${evidence.length} kept as evidence`,
    ),
  ]
  const items = [
    ...attempts.map(attempt => line(attemptParts(attempt), style)),
    ...evidence.map(one => line(evidenceParts(one), style)),
  ]
  return html`<details><summary>${line(head, style)}</summary>${list(items)}</details>`
}

function attemptParts({ n, sent_at, ended_at, end, error }: AttemptItem): Part[] {
  return [
    words(`attempt ${n}, sent `),
    time(sent_at),
    ...(ended_at === null ? [words(', no end is on record')] : [words(', ended '), time(ended_at)]),
    ...(end === null ? [] : [words(` (${end.replaceAll('_', ' ')})`)]),
    ...(error === null ? [] : [words(': '), said(error.message)]),
  ]
}

function evidenceParts({ n, kind, origin, at, actor, body }: EvidenceItem): Part[] {
  return [
    words(`evidence ${n}: ${kind.replaceAll('_', ' ')}, ${origin.replaceAll('_', ' ')}, `),
    time(at),
    words(', '),
    who(actor),
    words(': '),
    said(storedEvidenceWords(body) ?? JSON.stringify(body)),
  ]
}
