import { isoTime } from '../../core/iso-time.js'
import { type Safe, type SafeShape, safe } from '../../core/safe-text.js'
import type { Part } from '../page/page.js'
import { type Html, html, joined, NOTHING, text } from './escape.js'

/** How a page shows what is not our own: masked and made safe first, then escaped. */
export interface HtmlStyle {
  readonly show: (text: string, shape?: SafeShape) => Safe
  readonly exact: (at: number) => Safe
  readonly relative: (at: number) => Safe
}

/** Longest text of others in one place: an error can be a page of HTML, and is told in several. The JSON form has it whole. */
const LONGEST = 600

export function line(parts: readonly Part[], style: HtmlStyle): Html {
  return joined(parts.map(part => partHtml(part, style)))
}

function partHtml(part: Part, style: HtmlStyle): Html {
  switch (part.kind) {
    case 'words':
      return text(safe(part.text))
    case 'said':
      return text(style.show(part.text, { max: LONGEST }))
    case 'name':
      return nameHtml(part.text, style)
    case 'quote':
      return html`<q>${text(style.show(part.text, { max: LONGEST }))}</q>`
    case 'command':
      return commandHtml(part.text, style)
    case 'time':
      return timeHtml(Date.parse(part.at), style)
  }
}

/** A line to type: one click selects the whole of it, for the page has no script that could copy. */
export function commandHtml(command: string, { show }: HtmlStyle): Html {
  return html`<code class="command">${text(show(command))}</code>`
}

export function timeHtml(at: number, { exact, relative }: HtmlStyle): Html {
  return html`<time datetime="${text(safe(isoTime(at)))}">${text(exact(at))}</time> <small>${text(relative(at))}</small>`
}

/** An id. An address becomes a link where what is shown is the whole of it, so that it leads where it says. */
export function nameHtml(name: string, { show }: HtmlStyle): Html {
  const shown = show(name)
  if (shown === name && isAddress(name))
    return html`<a href="${text(shown)}" rel="noopener noreferrer nofollow"><code>${text(shown)}</code></a>`
  return html`<code>${text(shown)}</code>`
}

function isAddress(name: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(name)) return false
  try {
    const { username, password } = new URL(name)
    return username === '' && password === ''
  } catch {
    return false
  }
}

/** A list, or nothing where it is empty. */
export function list(items: readonly Html[], tag: 'ul' | 'ol' = 'ul'): Html {
  if (items.length === 0) return NOTHING
  const inner = joined(
    items.map(item => html`<li>${item}</li>`),
    '\n',
  )
  return tag === 'ul' ? html`<ul>${inner}</ul>` : html`<ol>${inner}</ol>`
}
