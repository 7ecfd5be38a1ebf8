// Makes docs/triage.png: the screen on a real terminal with the sample ledger, its cells as HTML, taken by Chromium; and
// docs/report.png: the head of a report of it, and what was sent when.
//   npx tsx scripts/pictures.ts [columns rows] [file]
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { writeSample } from '../src/demo/sample.js'
import { onTerminal } from '../test/cli/terminal.js'

const root = join(import.meta.dirname, '..')
const CHROMIUM = process.env.AGENT_LEDGER_CHROMIUM ?? '/usr/bin/chromium'
/** how each frame ends: until then a part of it stands there */
const FRAME_END = '\u001b[?2026l'
const [columns = 132, rows = 24] = process.argv.slice(2, 4).map(Number)
const file = process.argv[4] ?? join(root, 'docs/triage.png')

const ledger = join(mkdtempSync(join(tmpdir(), 'agent-ledger-picture-')), 'ledger.db')
await writeSample({ path: ledger, now: Date.now(), program: 'the pictures' })
const screen = onTerminal(process.execPath, [join(root, 'bin/agent-ledger.js'), 'triage'], {
  columns,
  rows,
  env: { AGENT_LEDGER: ledger, AGENT_LEDGER_BY: 'ana', LC_ALL: 'C.UTF-8' },
})
await screen.shows('a act')
// An operation of which there is something to see; the filter brings it up and is taken away again.
screen.type('/release-2.8.0/npm')
await screen.shows('filter release-2.8.0/npm')
screen.type('\r')
await screen.shows(columns >= 100 ? 'Operation release-2.8.0/npm' : '1/1')
screen.type('\u001b')
const isWhole = () => screen.sent().endsWith(FRAME_END)
while (!isWhole() || screen.screen().slice(0, 2).join('').includes('filter'))
  await new Promise(resolve => setTimeout(resolve, 50))
// The emulator is behind what was sent to it.
await new Promise(resolve => setTimeout(resolve, 500))
// The name of a folder of this run says nothing. It ends at the edge of the screen, and so does what takes its place.
const html = page(screen.cells()).replace(ledger, '/srv/acme/ledger.db'.padStart(ledger.length))
screen.type('q')
await screen.ended

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
const tab = await browser.newPage({ deviceScaleFactor: 2 })
await tab.setContent(html)
await tab.locator('main').screenshot({ path: file })
await pictureOfReport()
await browser.close()

/** What stands between its head and its picture of time is left out. */
async function pictureOfReport(): Promise<void> {
  const argv = ['report', 'release-2.8.0', '--format', 'html', '--ledger', ledger]
  const report = execFileSync(process.execPath, [join(root, 'bin/agent-ledger.js'), ...argv], {
    encoding: 'utf8',
  })
  const window = await browser.newPage({ viewport: { width: 1120, height: 800 }, deviceScaleFactor: 2 })
  await window.setContent(report.replaceAll(ledger, '/srv/acme/ledger.db'))
  await window.evaluate(`for (const one of document.querySelectorAll('section')) {
    if (!one.matches('.next, .doubt') && one.querySelector('.timeline') === null) one.remove()
    for (const fold of one.querySelectorAll('h3, .fold')) fold.remove()
  }
  for (const one of document.querySelectorAll('nav, footer')) one.remove()`)
  await window.locator('body').screenshot({ path: join(root, 'docs/report.png') })
}

type Cells = ReturnType<typeof screen.cells>

/** Pieces of one look side by side; a terminal's usual dark colours. */
function page(lines: Cells): string {
  const body = lines.map(line => line.map(piece).join('')).join('\n')
  return `<!doctype html><meta charset="utf-8"><style>
    main { display: inline-block; background: #14171c; color: #d5dae1; padding: 14px 18px; border-radius: 8px }
    pre { margin: 0; font: 13px/1.3 "DejaVu Sans Mono", monospace }
    .bold { font-weight: 700; color: #fff } .dim { color: #8f98a5 } .inverse { background: #d5dae1; color: #14171c }
    .c1 { color: #ff7b72 } .c3 { color: #e3b341 } .c6 { color: #56c8d8 }
  </style><main><pre>${body}</pre></main>`
}

function piece({ text, classes }: Cells[number][number]): string {
  const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return classes.length === 0 ? shown : `<span class="${classes.join(' ')}">${shown}</span>`
}
