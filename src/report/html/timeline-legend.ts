import { safe } from '../../core/safe-text.js'
import { type Html, html, joined, text } from './escape.js'

const MARKS: readonly (readonly [mark: Html, meaning: string])[] = [
  [html`<path class="written" d="M11 3v12"/>`, 'written down'],
  [html`<rect class="bar applied" x="1" y="4" width="20" height="10"/>`, 'took effect'],
  [html`<rect class="bar not_applied" x="1" y="4" width="20" height="10"/>`, 'did not take effect'],
  [html`<rect class="bar ambiguous" x="1" y="4" width="20" height="10"/>`, 'nobody can tell'],
  [
    html`<rect class="doubt" x="1" y="4" width="20" height="10"/>`,
    'no sign of it any more, may still arrive',
  ],
  [html`<line class="lease" x1="1" y1="9" x2="21" y2="9"/>`, 'time to be sent'],
  [html`<path class="heartbeat" d="M11 1v16"/>`, 'last heartbeat'],
  [html`<path class="progress" d="M11 4l5 5-5 5-5-5z"/>`, 'last progress'],
  [html`<path class="evidence" d="M11 5l4 7h-8z"/>`, 'evidence'],
  [html`<circle class="settled" cx="11" cy="9" r="4"/>`, 'settled'],
  [html`<line class="now" x1="11" y1="1" x2="11" y2="17"/>`, 'the moment of this report'],
]

export function timelineLegend(): Html {
  const items = MARKS.map(
    ([mark, meaning]) =>
      html`<li><svg width="22" height="18" aria-hidden="true">${mark}</svg>${text(safe(meaning))}</li>`,
  )
  return html`<ul class="legend">${joined(items)}</ul>`
}
