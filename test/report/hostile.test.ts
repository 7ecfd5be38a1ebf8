import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { safe } from '../../src/core/safe-text.js'
import { reportMarkdown } from '../../src/report/markdown.js'
import { codeSpan, plainOrCode } from '../../src/report/markdown-text.js'
import { takeoverReport } from '../../src/report/takeover.js'
import { reportText } from '../../src/report/text.js'
import { ATTACKS, attacked, hostile } from './attacks.js'
import { PLAIN } from './style.js'

// Everything that moves a cursor, hides or reorders; line feeds are ours alone.
const CONTROL = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const ALLOWED_TAGS = new Set(['h1', 'h2', 'ul', 'li', 'p', 'code'])

describe('a report on a task whose every text is hostile', () => {
  it('sends no control character to a terminal', () => {
    fc.assert(
      fc.property(hostile, text => {
        const shown = reportText(takeoverReport(attacked(text)), PLAIN).replaceAll(
          /\p{Extended_Pictographic}[\u{200d}\u{fe0f}\p{Extended_Pictographic}]*/gu,
          '',
        )
        expect(shown).not.toMatch(CONTROL)
      }),
      { numRuns: 150 },
    )
  })

  it('has the lines of a harmless one, whatever the texts hold', () => {
    const linesOf = (text: string) => reportText(takeoverReport(attacked(text)), PLAIN).split('\n').length
    const harmless = linesOf('harmless')
    for (const attack of ATTACKS) expect(linesOf(attack), attack).toBe(harmless)
  })

  it('gives a Markdown renderer headings, lists and code of ours and nothing else', () => {
    fc.assert(
      fc.property(hostile, text => {
        const markdown = reportMarkdown(takeoverReport(attacked(text)), PLAIN)
        const html = micromark(markdown, {
          allowDangerousHtml: true,
          allowDangerousProtocol: true,
          extensions: [gfm()],
          htmlExtensions: [gfmHtml()],
        })
        const tags = [...html.matchAll(/<\/?([a-z0-9]+)([^>]*)>/gi)]
        expect(
          tags.filter(([, tag = '', attributes]) => !ALLOWED_TAGS.has(tag) || attributes !== ''),
        ).toEqual([])
      }),
      { numRuns: 150, examples: ATTACKS.map(text => [text]) },
    )
  })
})

describe('a code span', () => {
  it('is read back by a renderer as the same text', () => {
    fc.assert(
      fc.property(hostile, text => {
        const shown = safe(text)
        const html = micromark(`x ${codeSpan(shown)} y`)
        const inner = /^<p>x <code>(.*)<\/code> y<\/p>$/su.exec(html)?.[1] ?? html
        const read = inner
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&amp;', '&')
        expect(read).toBe(shown === '' ? ' ' : shown)
      }),
    )
  })

  it('is not begun by spaces in front of a sentence', () => {
    expect(plainOrCode(safe('    four spaces in front'))).toBe(' four spaces in front')
  })

  it('is made of every word in a sentence that is more than a plain word', () => {
    expect(
      plainOrCode(safe("it can't be read: see (op-5), www.x.org or a@b.c; 3 attempts in 20s. 1. x")),
    ).toBe("it can't be read: see (`op-5`), `www.x.org` or `a@b.c`; 3 attempts in `20s`. `1`. x")
  })
})
