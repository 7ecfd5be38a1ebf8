import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { reportHtml } from '../../src/report/html/report.js'
import { takeoverReport } from '../../src/report/takeover.js'
import { NOON } from '../core/builders.js'
import { ATTACKS, attacked } from '../report/attacks.js'
import { PLAIN } from '../report/style.js'
import { programRun, sampleLedger } from './support/sample.js'

// The pages as a real browser has them: Chromium of the system.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 900 }

let browser: Browser
let folder: string
const pages = new Map<string, string>()

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  folder = mkdtempSync(join(tmpdir(), 'agent-ledger-html-'))
  const ledger = sampleLedger(folder)
  for (const task of ['release-2.8.0', 'incident-88', 'scraper-5'])
    pages.set(task, written(task, programRun(['report', task, '--format', 'html', '--ledger', ledger])))
  pages.set('status', written('status', programRun(['status', '--format', 'html', '--ledger', ledger])))
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true })
})

const CHROMIUM = process.env.AGENT_LEDGER_CHROMIUM ?? '/usr/bin/chromium'

describe.each(['release-2.8.0', 'incident-88', 'scraper-5', 'status'])('the page of %s', name => {
  it.each(['light', 'dark'] as const)(
    'has no fault that axe-core finds, contrast included, in the %s scheme',
    async scheme => {
      const { page } = await opened(name, { scheme })
      expect(await violations(page)).toEqual([])
    },
  )

  it('asks for nothing, runs nothing and complains of nothing', async () => {
    const { seen } = await opened(name)
    expect(seen).toEqual([])
  })

  it('is no wider than a small telephone, and prints', async () => {
    const { page } = await opened(name, { viewport: NARROW })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(NARROW.width)
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('shows a telephone all of its pictures of time, with every label whole', async () => {
    const { page } = await opened(name, { viewport: NARROW })
    const cut = `[...document.querySelectorAll('svg.timeline text')].filter(one => {
      const { left, right } = one.getBoundingClientRect()
      return right > left && (left < 0 || right > ${NARROW.width})
    }).map(({ textContent }) => textContent)`
    expect(await page.evaluate(cut)).toEqual([])
    const drawn = `[...document.querySelectorAll('svg.timeline rect.bar')].map(one => one.getBoundingClientRect().right)`
    for (const right of (await page.evaluate(drawn)) as number[]) expect(right).toBeLessThan(NARROW.width)
  })

  it('has on paper what is folded on a screen', async () => {
    const { page } = await opened(name)
    const folded = 'details:not([open]) > :not(summary)'
    const seen = `[...document.querySelectorAll('${folded}')].map(one => one.checkVisibility({ contentVisibilityAuto: true }))`
    expect(await page.evaluate(`${seen}.some(Boolean)`)).toBe(false)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.evaluate(`${seen}.every(Boolean)`)).toBe(true)
  })

  it('is walked through by keyboard, and says where one is', async () => {
    const { page } = await opened(name)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the report')
    await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).toBe('solid')
  })
})

it('the page of the whole ledger begins with what to type', async () => {
  const { page } = await opened('status')
  expect(await page.locator('h2').first().textContent()).toBe('Next')
})

describe('a page whose every text is hostile', () => {
  it.each(ATTACKS)('shows %j and does nothing of it', async attack => {
    const report = takeoverReport(attacked(attack))
    const text = reportHtml({ report, timeline: { rows: [], left_out: 0 }, ledger: attack, now: NOON }, PLAIN)
    pages.set('attack', written('attack', text))
    const { page, seen } = await opened('attack')
    expect(seen).toEqual([])
    expect(await page.evaluate("document.querySelectorAll('script, img, iframe, object, form').length")).toBe(
      0,
    )
    const protocols = await page.evaluate(
      "[...document.querySelectorAll('a')].map(({ protocol }) => protocol)",
    )
    expect(protocols).not.toContain('javascript:')
    expect(protocols).not.toContain('data:')
  })
})

interface Look {
  readonly scheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

async function opened(name: string, { scheme = 'light', viewport = WIDE }: Look = {}) {
  const context = await browser.newContext({ colorScheme: scheme, viewport })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const seen: string[] = []
  const own = pathToFileURL(pages.get(name) ?? '').href
  page.on('console', message => seen.push(`console: ${message.text()}`))
  page.on('pageerror', error => seen.push(`error: ${error.message}`))
  page.on('dialog', dialog => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (request.url() !== own) seen.push(`request: ${request.url()}`)
  })
  await page.goto(own)
  return { page, seen }
}

/** Evaluated through the debugger, which the page's policy does not bind. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found: unknown = await page.evaluate(
    '(async () => (await axe.run(document)).violations.map(({ id, nodes }) => [id, ...nodes.map(node => node.html)].join(" ")))()',
  )
  expect(Array.isArray(found)).toBe(true)
  return found as string[]
}

function written(name: string, text: string): string {
  const path = join(folder, `${name}.html`)
  writeFileSync(path, text)
  return path
}
