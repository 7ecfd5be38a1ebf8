import { isoTime } from '../../core/iso-time.js'
import { safe } from '../../core/safe-text.js'
import { type Html, html, joined, NOTHING, text } from './escape.js'
import type { HtmlStyle } from './parts.js'
import { type Block, contents, sectionHtml } from './sections.js'
import { contentSecurityPolicy, STYLESHEET } from './stylesheet.js'

export interface HtmlDocument {
  /** of the window */
  readonly title: string
  readonly heading: Html
  /** the sentence to read when there is time for one */
  readonly lead: Html
  readonly tiles: readonly Tile[]
  readonly blocks: readonly Block[]
  readonly ledger: string
  /** milliseconds since 1970 UTC */
  readonly now: number
}

export interface Tile {
  readonly count: number
  readonly what: string
  readonly isDoubt: boolean
}

/** One file that needs nothing else: no script, no request, no font; light and dark; it prints. */
export function htmlDocument(document: HtmlDocument, style: HtmlStyle): string {
  const { title, heading, lead, tiles, blocks, ledger, now } = document
  // The stylesheet is ours and its digest stands in the policy: it is put in as it is.
  const css = STYLESHEET as Html
  return `${html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${text(safe(contentSecurityPolicy()))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="agent-ledger">
<title>${text(style.show(title))}</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
<header>
<p>agent-ledger · <code>${text(style.show(ledger))}</code> · as of <time datetime="${text(safe(isoTime(now)))}">${text(style.exact(now))}</time></p>
<h1>${heading}</h1>
<p class="lead">${lead}</p>
${tiles.length === 0 ? NOTHING : html`<ul class="tiles">${joined(tiles.map(tileHtml))}</ul>`}
</header>
${contents(blocks)}
<main id="main">
${joined(blocks.map(sectionHtml), '\n')}
</main>
<footer>Made from the ledger at ${text(safe(isoTime(now)))}. A picture of that moment: look again before you decide.</footer>
</body>
</html>`}\n`
}

function tileHtml({ count, what, isDoubt }: Tile): Html {
  const shade = isDoubt && count > 0 ? html` class="doubt"` : NOTHING
  return html`<li${shade}><b>${count}</b>${text(safe(what))}</li>`
}
