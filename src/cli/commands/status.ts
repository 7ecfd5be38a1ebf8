import { asJson } from '../../core/documents/parts.js'
import { STATUS_FIELDS, type StatusDocument } from '../../core/documents/status.js'
import { LedgerError } from '../../core/errors.js'
import { join, type Safe, words } from '../../core/safe-text.js'
import type { LedgerForReading } from '../../ledger/open-for-reading.js'
import { statusPage } from '../../report/page/status-page.js'
import { pageText } from '../../report/text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { fromOptions, refuseFrom, withReading } from '../from.js'
import { lookOn } from '../look-on.js'
import { printDocument } from '../output/document.js'
import { fitted } from '../output/fit.js'
import { createTimes } from '../output/times.js'
import { writeFile } from '../output/write-file.js'
import { pageStyle } from '../page-style.js'
import { choice, flag, someText, value } from '../parameters.js'

const STATUS_FORMATS = ['text', 'html'] as const

export const status = command({
  name: 'status',
  chapter: 'Look',
  summary: 'what is open, the oldest of each, and the next command to type; also what no command does',
  args: {},
  options: {
    ...fromOptions,
    format: value('format', 'how it is written', choice(STATUS_FORMATS), {
      choices: STATUS_FORMATS,
      fallback: 'text',
    }),
    output: value('file', 'write it to a file that only you can read; --yes to replace one', someText),
    watch: flag(
      'keep looking: redrawn on a terminal, one JSON document a line when something changed elsewhere',
    ),
  },
  examples: [
    { line: 'agent-ledger', does: 'the same as agent-ledger status' },
    { line: 'agent-ledger status --watch', does: 'until ctrl-c' },
    {
      line: 'agent-ledger status --format html --output status.html',
      does: 'the whole ledger as a page for a browser',
    },
    { line: 'agent-ledger status --json --fields in_doubt,next', does: 'what a script needs' },
  ],
  documents: ['status@1'],
  fields: STATUS_FIELDS,
})

export async function run(
  { watch, format, output, ...given }: Given<typeof status>,
  deps: Deps,
): Promise<number> {
  if (watch && (format !== undefined || output !== undefined))
    throw new LedgerError('usage', '--watch goes with neither --format nor --output', {
      hint: 'Leave --watch out: a page or a file is of one moment.',
    })
  if (watch) {
    refuseFrom(given, '--watch')
    return keepLooking(deps)
  }
  await withReading(given, deps, async ledger => {
    const document = await ledger.status()
    if (format !== 'html' && output === undefined) return printOne(document, ledger.location, deps)
    const written = await pageOf(document, { ledger: ledger.location, isHtml: format === 'html' }, deps)
    if (output === undefined) return deps.io.stdout.write(written)
    await writeFile(output, written, deps)
    return deps.say(words`written to ${deps.show(output)}`)
  })
  return 0
}

async function pageOf(
  status: StatusDocument,
  { ledger, isHtml }: { readonly ledger: string; readonly isHtml: boolean },
  deps: Deps,
): Promise<string> {
  if (!isHtml) return `${textOf(status, ledger, deps)}\n`
  const { statusHtml } = await import('../../report/html/status.js')
  return statusHtml({ status, ledger, now: deps.now }, pageStyle(deps))
}

async function printOne(document: StatusDocument, ledger: string, deps: Deps): Promise<boolean> {
  const text = () => textOf(document, ledger, deps)
  return printDocument(
    { schema: 'status@1', ledger, body: asJson(document), fields: STATUS_FIELDS, text },
    deps,
  )
}

function textOf(document: StatusDocument, ledger: string, deps: Deps) {
  return join([deps.paint.dim(deps.show(ledger)), pageText(statusPage(document), pageStyle(deps))], '\n')
}

/** What of it fits on the screen as it is now: it may have been resized since the last look. */
function screenOf(document: StatusDocument, ledger: string, deps: Deps) {
  const { stdout } = deps.io
  const room = { rows: stdout.rows() ?? 24, columns: stdout.columns() ?? 80 }
  return fitted(textOf(document, ledger, deps), { ...room, rest: words`agent-ledger status` })
}

/** Time between two looks. */
const EVERY_MS = 2_000

async function keepLooking(deps: Deps): Promise<number> {
  const { io, global } = deps
  const draws = io.stdout.isTerminal && !global.json && !global.jsonl
  let before = ''
  const look = async (ledger: LedgerForReading) => {
    const document = await ledger.status()
    const at = { ...deps, now: deps.clock(), times: createTimes(global.tz, deps.clock()) }
    if (draws) return io.stdout.write(`${HOME}${await screenOf(document, ledger.location, at)}\n`)
    const body = JSON.stringify(document)
    if (body === before) return true
    before = body
    return printOne(document, ledger.location, { ...at, global: { ...global, json: false, jsonl: true } })
  }
  // What was drawn last stays in sight, with the reason why it does not move, until a look goes well again.
  const drawTrouble = (why: Safe) => io.stdout.write(`${TOP}${deps.paint.alarm(words`! ${why}`)}${REST}`)
  if (draws) await io.stdout.write(ENTER)
  try {
    await lookOn({ everyMs: EVERY_MS, look, ...(draws ? { tellTrouble: drawTrouble } : {}) }, deps)
  } finally {
    if (draws) await io.stdout.write(LEAVE)
  }
  await deps.say(words`stopped looking`)
  return 0
}

// The alternate screen, so that what was on the terminal is there again afterwards (xterm: DECSET 1049).
const ENTER = '\u001b[?1049h'
const LEAVE = '\u001b[?1049l'
const HOME = '\u001b[H\u001b[J'
const TOP = '\u001b[H'
/** Clears what is left of the line. */
const REST = '\u001b[K'
