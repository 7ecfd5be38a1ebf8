import { type CheckpointThread, RECORDS_ALONE, type ReplayRisk, type WillRun } from '../../core/checkpoint.js'
import type { ReportDocument } from '../../core/documents/report.js'
import { safe } from '../../core/safe-text.js'
import { name, type Part, said, words } from '../page/page.js'
import { type Html, html, NOTHING, text } from './escape.js'
import { type HtmlStyle, line, list } from './parts.js'

/** What is saved, what a resume runs first, what of it would be sent again, and what it waits for. */
export function checkpointPicture(
  { checkpoint, replay_risk }: Pick<ReportDocument, 'checkpoint' | 'replay_risk'>,
  style: HtmlStyle,
): Html {
  if (checkpoint === null) return NOTHING
  const { saver, thread } = checkpoint
  const saved = thread.saved.map(({ node, task_id }) => line([name(node ?? task_id)], style))
  const runs = thread.will_run.map(run => runItem(run, replay_risk, style))
  const open = thread.interrupts.filter(({ state }) => state === 'open' || state === 'answer_reused')
  const questions = open.map(({ node, value }) =>
    line(
      [
        name(node ?? 'an unnamed node'),
        words(': '),
        said(typeof value === 'string' ? value : JSON.stringify(value)),
      ],
      style,
    ),
  )
  return html`<div class="flow">
${column('Stored: not run again', saved, 'nothing is stored of this step')}
${column('A resume runs first', runs, saver === RECORDS_ALONE ? 'nobody knows' : 'nothing would run')}
${questions.length === 0 ? NOTHING : column('Waits for an answer', questions, '')}
</div>
${elsewhere(thread, replay_risk, style)}
<div class="advice"><p>Advice: <strong>${text(safe(thread.advice.action.replaceAll('_', ' ')))}</strong></p>${list(thread.advice.reasons.map(reason => line([said(reason)], style)))}</div>`
}

function column(heading: string, items: readonly Html[], empty: string): Html {
  return html`<div><h3>${text(safe(heading))}</h3>${items.length === 0 ? html`<p>${text(safe(empty))}</p>` : list(items)}</div>`
}

function runItem({ node, reason }: WillRun, risks: readonly ReplayRisk[], style: HtmlStyle): Html {
  const own = risks.filter(risk => risk.node === node)
  const head = line([name(node), words(` (${reason.replaceAll('_', ' ')})`)], style)
  if (own.length === 0) return head
  return html`${head} <span class="badge doubt">risk</span>${list(own.map(risk => line(riskParts(risk), style)))}`
}

/** Risks whose node is not among those that run first, so that none is missing from the picture. */
function elsewhere({ will_run }: CheckpointThread, risks: readonly ReplayRisk[], style: HtmlStyle): Html {
  const shown = new Set(will_run.map(({ node }) => node))
  const rest = risks.filter(({ node }) => node === null || !shown.has(node))
  if (rest.length === 0) return NOTHING
  return html`<h3>Also at risk</h3>${list(rest.map(risk => line(riskParts(risk), style)))}`
}

// Why stands with each in the section of the replay risk.
function riskParts({ operation_id, status }: ReplayRisk): Part[] {
  return [name(operation_id), words(` (${status.replaceAll('_', ' ')})`)]
}
