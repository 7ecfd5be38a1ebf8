import { isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CHECK_CONDITIONS,
  CHECK_FIELDS,
  type CheckDocument,
  checkExitCode,
  DEFAULT_CONDITIONS,
} from '../../core/documents/check.js'
import { asJson } from '../../core/documents/parts.js'
import { LedgerError } from '../../core/errors.js'
import { join, type Safe, safe, words } from '../../core/safe-text.js'
import type { CheckOptions } from '../../ledger/looking/check.js'
import { VERSION } from '../../version.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { choice, choices, duration, someText, value } from '../parameters.js'

const FORMATS = ['text', 'json', 'junit', 'sarif', 'github'] as const
type Format = (typeof FORMATS)[number]

export const check = command({
  name: 'check',
  chapter: 'Look',
  summary: 'the gate for scripts: fail when something in doubt or stalled is there',
  details: [
    'unknown: in doubt. stalled: standing still. duplicates: it may have happened twice. violations: against a rule. approvals: waiting for one. unanswered: in doubt, and no probe and no safe repeat can answer. replay-risk: would happen again on a resume. unverified: settled by hand, on no evidence or on a word that no receipt and no look-up has confirmed since.',
    'junit, sarif and github are for CI: a report of tests, results for code scanning, annotations of a workflow.',
    'Exit 0: nothing found. 10: something in doubt. 11: only stalled. 12: something else asked for. 3: the ledger could not be read, 4: there is no such task; neither is a pass.',
  ],
  args: {},
  options: {
    failOn: value('a,b', 'what to fail on', choices(CHECK_CONDITIONS), {
      choices: CHECK_CONDITIONS,
      fallback: DEFAULT_CONDITIONS.join(','),
    }),
    olderThan: value('duration', 'only what was written down longer ago', duration),
    task: value('task', 'only of this task', someText, { completes: 'task' }),
    waitFor: value('duration', 'look again until it passes, at most so long', duration),
    format: value('format', 'how it is written', choice(FORMATS), { choices: FORMATS, fallback: 'text' }),
  },
  examples: [
    { line: 'agent-ledger check', does: 'in a pipeline, after the agent' },
    {
      line: 'agent-ledger check --fail-on unknown,duplicates --older-than 15m',
      does: 'what has been in doubt for a while',
    },
    {
      line: 'agent-ledger check --fail-on unknown,unverified --format junit > agent-ledger.xml',
      does: 'a report that CI services show',
    },
    { line: 'agent-ledger check --wait-for 5m', does: 'give a run that is still at work time to settle' },
  ],
  documents: ['check@1'],
  fields: CHECK_FIELDS,
})

export async function run(given: Given<typeof check>, deps: Deps): Promise<number> {
  requireOneForm(given.format, deps)
  const started = performance.now()
  for (;;) {
    const { document, location } = await deps.withLedgerForReading(async ledger => ({
      document: await ledger.checkFor(optionsOf(given, deps)),
      location: ledger.location,
    }))
    const isOver =
      given.waitFor === undefined || performance.now() - started >= given.waitFor || deps.signal.aborted
    if (document.ok || isOver) {
      await print(document, { ledger: location, format: given.format }, deps)
      return checkExitCode(document)
    }
    await deps.untilWritten(Math.min(EVERY_MS, given.waitFor ?? 0))
  }
}

/** Time between two looks of --wait-for. */
const EVERY_MS = 1_000

function optionsOf({ failOn, olderThan, task }: Given<typeof check>, { clock }: Deps): CheckOptions {
  return {
    ...(failOn === undefined ? {} : { failOn }),
    ...(olderThan === undefined ? {} : { before: clock() - olderThan }),
    ...(task === undefined ? {} : { taskId: task }),
  }
}

async function print(
  document: CheckDocument,
  { ledger, format }: { readonly ledger: string; readonly format: Format | undefined },
  deps: Deps,
): Promise<void> {
  if (format === 'junit' || format === 'sarif' || format === 'github') {
    const { CHECK_RENDERERS } = await import('../../report/check/index.js')
    const told = {
      check: document,
      ledger,
      uri: uriOf(ledger, deps.io.cwd),
      now: deps.now,
      version: VERSION,
      show: (text: string) => deps.show(text),
    }
    await deps.io.stdout.write(CHECK_RENDERERS[format](told))
    return
  }
  const global = { ...deps.global, json: deps.global.json || format === 'json' }
  await printDocument(
    {
      schema: 'check@1',
      ledger,
      body: asJson(document),
      fields: CHECK_FIELDS,
      text: () => textOf(document, deps),
    },
    { ...deps, global },
  )
}

/** Two forms cannot both be printed. */
function requireOneForm(format: Format | undefined, { global }: Deps): void {
  const { json, jsonl, fields } = global
  if (format === undefined || format === 'json') return
  if (json || jsonl || fields !== undefined)
    throw new LedgerError('usage', `--format ${format} and --json, --jsonl or --fields exclude each other`, {
      path: '--format',
    })
}

/** The ledger as a URI reference: relative where it lies below this folder, as code scanning wants it. */
function uriOf(ledger: string, cwd: string): string {
  if (!isAbsolute(ledger)) return encodeURI(ledger)
  const below = relative(cwd, ledger)
  return below.startsWith('..')
    ? pathToFileURL(ledger).href
    : below.split('/').map(encodeURIComponent).join('/')
}

function textOf({ ok, counts, found, left_out }: CheckDocument, { show, paint }: Deps): Safe {
  const told = Object.entries(counts).map(([condition, count]) => words`${safe(condition)} ${count}`)
  const verdict = ok ? words`ok` : paint.alarm(words`failed`)
  const lines = found.map(({ condition, operation_id, task_id, reason }) => {
    const subject =
      operation_id === null ? words`task ${show(task_id)}` : words`${show(operation_id)} of ${show(task_id)}`
    return words`  ${safe(condition)}: ${subject}: ${show(reason, { max: 300 })}`
  })
  const more = left_out === 0 ? [] : [words`  ${left_out} more; agent-ledger list shows them`]
  return join([words`${verdict}: ${join(told, ', ')}`, ...lines, ...more], '\n')
}
