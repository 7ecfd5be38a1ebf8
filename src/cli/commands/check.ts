import { setTimeout as sleep } from 'node:timers/promises'
import {
  CHECK_CONDITIONS,
  CHECK_FIELDS,
  type CheckDocument,
  checkExitCode,
  DEFAULT_CONDITIONS,
} from '../../core/documents/check.js'
import { asJson } from '../../core/documents/parts.js'
import { join, type Safe, safe, words } from '../../core/safe-text.js'
import type { CheckOptions } from '../../ledger/looking/check.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { printDocument } from '../output/document.js'
import { choice, choices, duration, someText, value } from '../parameters.js'

const FORMATS = ['text', 'json'] as const

export const check = command({
  name: 'check',
  chapter: 'Look',
  summary: 'the gate for scripts: fail when something in doubt or stalled is there',
  details: [
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
    { line: 'agent-ledger check --wait-for 5m', does: 'give a run that is still at work time to settle' },
  ],
  documents: ['check@1'],
  fields: CHECK_FIELDS,
})

export async function run(given: Given<typeof check>, deps: Deps): Promise<number> {
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
    await sleep(Math.min(EVERY_MS, given.waitFor ?? 0), undefined, { signal: deps.signal }).catch(
      () => undefined,
    )
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
  { ledger, format }: { readonly ledger: string; readonly format: 'text' | 'json' | undefined },
  deps: Deps,
): Promise<void> {
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
