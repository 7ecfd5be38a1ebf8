import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Timeline } from '../../src/core/documents/timeline.js'
import { reportHtml } from '../../src/report/html/report.js'
import { takeoverReport } from '../../src/report/takeover.js'
import { NOON } from '../core/builders.js'
import { ATTACKS, attacked, hostile } from './attacks.js'
import { record } from './record.js'
import { PLAIN } from './style.js'

describe('the HTML report', () => {
  it('allows no script, no request and no form, and its one stylesheet by digest', () => {
    const page = pageOf('harmless')
    const [policy] = page.match(/Content-Security-Policy" content="([^"]+)"/)?.slice(1) ?? []
    expect(policy).toMatch(
      /^default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]{43}=&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;$/,
    )
    expect(page).not.toMatch(/<(script|img|link|iframe|object|form)\b|\sstyle=|\son\w+=|url\((?!#)|@import/i)
  })

  it('names the task, counts what is unknown and says what to type', () => {
    const page = pageOf('harmless')
    expect(page).toContain('<title>harmless: ')
    expect(page).toMatch(/<li class="doubt"><b>[1-9]\d*<\/b>unknown<\/li>/)
    expect(page).toContain('<code class="command">agent-ledger show ')
  })

  it('draws each attempt once, and says the same in words below', () => {
    const page = pageOf('harmless')
    expect(page.match(/<rect class="bar /g)?.length).toBe(3 + 10 + MARKS_OF_LEGEND)
    expect(page).toContain('<rect class="bar applied"')
    expect(page).toContain('<summary>')
    expect(page).toContain('evidence 1: receipt, observed, ')
  })

  it('tells what the picture of the checkpoint shows there alone', () => {
    const page = pageOf('harmless')
    expect(page).toContain('A resume runs first')
    expect(page).not.toContain('a resume begins with')
    expect(page.match(/change first/g)).toHaveLength(1)
  })

  it('tells each end of an attempt, and each mark, apart by its shape as well', () => {
    const page = pageOf('harmless')
    for (const [, name = ''] of page.matchAll(/url\(#(\w+)\)/g))
      expect(page).toContain(`<pattern id="${name}"`)
    expect(page).toMatch(/\.bar\.ambiguous[^}]*url\(#stripes\)/)
    const marks = page.match(/<ul class="legend">.*?<\/ul>/s)?.[0] ?? ''
    for (const drawn of ['written', 'applied', 'not_applied', 'ambiguous', 'lease', 'heartbeat', 'settled'])
      expect(marks).toMatch(new RegExp(`class="(?:bar )?${drawn}"`))
  })

  it('makes a link of an address alone, and only where all of it is shown', () => {
    const links = (text: string) => [...pageOf(text).matchAll(/<a href="(?!#)([^"]*)"/g)].map(([, to]) => to)
    expect(links('https://tickets.example/T-1?a=1&b=2')).toContain('https://tickets.example/T-1?a=1&amp;b=2')
    for (const other of [
      'javascript:alert(1)',
      'https://user:hunter22@evil.example/',
      'https://evil.example/\u202egpj.exe',
      'see https://evil.example',
      'data:text/html,x',
    ])
      expect(links(other), other).toEqual([])
  })

  it('has the tags of a harmless one, whatever the texts hold', () => {
    const tagsOf = (text: string) => [...pageOf(text).matchAll(/<\/?[a-z0-9]+/g)].map(([tag]) => tag)
    const harmless = tagsOf('harmless')
    for (const attack of ATTACKS) expect(tagsOf(attack), attack).toEqual(harmless)
  })

  it('takes no markup and no control character from any text', () => {
    const known = new Set([...pageOf('https://a.example/').matchAll(/<\/?[a-z0-9]+/gi)].map(([tag]) => tag))
    fc.assert(
      fc.property(hostile, text => {
        const page = pageOf(text)
        const tags = [...page.matchAll(/<\/?[a-z0-9]+/gi)].map(([tag]) => tag)
        expect(tags.filter(tag => !known.has(tag))).toEqual([])
        expect(page).not.toMatch(/(?![\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
      }),
      { numRuns: 60 },
    )
  })
})

const MARKS_OF_LEGEND = 3

function pageOf(text: string): string {
  const report = takeoverReport(attacked(text))
  return reportHtml({ report, timeline: timelineOf(text), ledger: text, now: NOON + 3_600_000 }, PLAIN)
}

/** The ends that an attempt can have, thrice in one row and once in ten. */
function timelineOf(text: string): Timeline {
  const { views } = record({ told: [{ id: 'op', becomes: 'confirmed' }] })
  expect(views).toHaveLength(1)
  const at = (minute: number) => new Date(NOON + minute * 60_000).toISOString()
  const attempt = (n: number, end: 'applied' | 'not_applied' | 'ambiguous' | null) => ({
    n,
    owner: text,
    sent_at: at(n),
    send_by: at(n + 1),
    ended_at: end === null ? null : at(n + 1),
    end,
    error: null,
    heartbeat_at: at(n),
    activity_at: null,
    progress_at: at(n),
    progress: text,
  })
  const row = (id: string) => ({
    operation_id: id,
    tool: text,
    status: 'unknown' as const,
    in_doubt: true,
    created_at: at(0),
    settled_at: null,
    lease_ends_at: at(2),
    attempts: [attempt(1, null)],
    evidence: [
      {
        n: 1,
        kind: 'receipt' as const,
        origin: 'observed' as const,
        attempt: 1,
        at: at(2),
        actor: text,
        body: { [text]: text },
        hash: 'sha256:0',
      },
    ],
  })
  const many = {
    ...row(`${text}-many`),
    attempts: [attempt(1, 'ambiguous'), attempt(2, 'not_applied'), attempt(3, 'applied')],
  }
  return { rows: [many, ...Array.from({ length: 10 }, (_, i) => row(`${text}-${i}`))], left_out: 2 }
}
