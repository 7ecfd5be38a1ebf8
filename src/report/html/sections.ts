import { safe } from '../../core/safe-text.js'
import type { Entry, Section } from '../page/page.js'
import { type Html, html, joined, NOTHING, text } from './escape.js'
import { type HtmlStyle, line, list } from './parts.js'

/** A section of the document: the page's own, or a picture. */
export interface Block {
  readonly heading: string
  readonly tone?: Section['tone']
  readonly body: Html
}

/** Entries that stand open; the rest is folded, and opened by who looks for it. */
const MOST_OPEN = 12

export function blockOf({ heading, intro, entries, tone }: Section, style: HtmlStyle): Block {
  const first = entries.slice(0, MOST_OPEN)
  const rest = entries.slice(MOST_OPEN)
  const folded =
    rest.length === 0
      ? NOTHING
      : html`<details><summary>${rest.length} more</summary>${entryList(rest, tone, style)}</details>`
  const before = intro === undefined ? NOTHING : html`<p class="intro">${line(intro, style)}</p>`
  return {
    heading,
    ...(tone === undefined ? {} : { tone }),
    body: html`${before}${entryList(first, tone, style)}${folded}`,
  }
}

function entryList(entries: readonly Entry[], tone: Section['tone'], style: HtmlStyle): Html {
  const items = entries.map(
    ({ line: first, details }) => html`${line(first, style)}${detailList(details, style)}`,
  )
  return list(items, tone === 'next' ? 'ol' : 'ul')
}

function detailList(details: Entry['details'], style: HtmlStyle): Html {
  if (details.length === 0) return NOTHING
  return html`<ul class="details">${joined(details.map(detail => html`<li>${line(detail, style)}</li>`))}</ul>`
}

export function sectionHtml({ heading, tone, body }: Block, place: number): Html {
  const shade = tone === undefined ? NOTHING : html` class="${text(safe(tone))}"`
  return html`<section id="s${place}"${shade} aria-labelledby="h${place}">
<h2 id="h${place}">${text(safe(heading))}</h2>
${body}
</section>`
}

/** Links to the sections, by their headings without the explanation. */
export function contents(blocks: readonly Block[]): Html {
  const items = blocks.map(
    ({ heading }, place) => html`<li><a href="#s${place}">${text(safe(shortHeading(heading)))}</a></li>`,
  )
  return html`<nav aria-label="Sections"><ul>${joined(items, '\n')}</ul></nav>`
}

function shortHeading(heading: string): string {
  const [before = heading, after = ''] = heading.split(/: (.*)/)
  const [short = heading] = (before === 'History' ? after : before).split(/ ?[;(]/)
  return short.charAt(0).toUpperCase() + short.slice(1)
}
