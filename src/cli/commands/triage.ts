import { setImmediate as immediate } from 'node:timers/promises'
import { LedgerError } from '../../core/errors.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { createTimes } from '../output/times.js'
import { flag, someText, value } from '../parameters.js'

// The screen is known here only once it is called: its types are asked of the module that is loaded then.
type World = import('../../tui/world.js').World

/** Where staged decisions go unless another file is named. */
const PLAN = 'triage-plan.jsonl'

export const triage = command({
  name: 'triage',
  chapter: 'Take over',
  summary: 'the interactive screen: look, decide, one operation or many',
  details: [
    'Lists what needs a person, riskiest first, with all that is known beside it. Every decision shows what it would do, asks for evidence and a reason, and is refused where somebody changed the operation meanwhile. Ctrl-S puts a decision into a plan for `agent-ledger apply` instead.',
    '? lists the keys. --plain asks line by line and only ever adds lines: for screen readers, and for terminals that cannot place a cursor.',
  ],
  args: {},
  options: {
    plain: flag('line by line, for screen readers; also with TERM=dumb or INK_SCREEN_READER=true'),
    readOnly: flag('look only; decisions can be put into a plan'),
    stage: value('file', 'the plan that Ctrl-S adds decisions to', someText, { fallback: PLAN }),
  },
  examples: [
    { line: 'agent-ledger triage', does: 'the ledger in use' },
    { line: 'agent-ledger triage --read-only', does: 'look around without deciding' },
    { line: 'agent-ledger triage --plain', does: 'the same work as questions and answers' },
  ],
})

export async function run(
  { plain, readOnly, stage = PLAN }: Given<typeof triage>,
  deps: Deps,
): Promise<number> {
  const { io } = deps
  if (!io.canAsk || !io.stdout.isTerminal)
    throw new LedgerError('usage', 'triage needs a terminal', {
      hint: 'Use agent-ledger list, agent-ledger show and agent-ledger resolve, which work through pipes.',
    })
  const world = worldOf(stage, deps)
  const isPlain = plain || io.env.TERM === 'dumb' || (io.env.INK_SCREEN_READER ?? '') === 'true'
  if (isPlain) {
    const { runPlain } = await import('../../tui/plain.js')
    return runPlain({ world, isReadOnly: readOnly, ask: io.ask, say: deps.print })
  }
  const { runScreen } = await import('../../tui/run-screen.js')
  const { openScreen } = await import('../terminal/screen.js')
  const { editText } = await import('../terminal/editor.js')
  let screen: ReturnType<typeof openScreen> | undefined
  try {
    return await runScreen({
      world,
      open: () => {
        screen = openScreen(process, text => editText(text, io.env))
        return screen
      },
      hasColour: deps.paint.isOn,
      isReadOnly: readOnly,
      escapeMs: io.env.SSH_CONNECTION === undefined ? ESCAPE_MS : ESCAPE_REMOTE_MS,
      signal: deps.signal,
    })
  } finally {
    screen?.close()
  }
}

/** How long the rest of a key's sequence may take; networks deliver in pieces. */
const ESCAPE_MS = 40
const ESCAPE_REMOTE_MS = 100

function worldOf(planPath: string, deps: Deps): World {
  const { show, clock, redactor, withLedger, withLedgerForReading, io, global } = deps
  return {
    now: clock,
    show,
    mask: redactor.value,
    style: () => {
      const { exact, relative } = createTimes(global.tz, clock())
      return { show, bold: text => text, dim: text => text, exact, relative }
    },
    withLedger,
    withLedgerForReading,
    evidence: async typed => {
      const { evidenceGiven } = await import('../deciding/evidence-given.js')
      return evidenceGiven([typed], io)
    },
    breathe: () => immediate(),
    untilWritten: deps.untilWritten,
    planPath,
  }
}
