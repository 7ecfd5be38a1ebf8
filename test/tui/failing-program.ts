// The screen with a component that fails while it is shown.
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import { openScreen } from '../../src/cli/terminal/screen.js'
import { type Safe, safe } from '../../src/core/safe-text.js'
import { openLedger, openLedgerForReading } from '../../src/ledger.js'
import { runScreen } from '../../src/tui/run-screen.js'

const [path = ''] = process.argv.slice(2)
let screen: ReturnType<typeof openScreen> | undefined
// The name of the ledger: only what paints the head of the screen asks for it.
const broken: unknown = {
  toString: () => {
    throw new Error('broken on purpose')
  },
}

try {
  process.exitCode = await runScreen({
    world: {
      now: Date.now,
      show: (text, shape) => (text === path ? (broken as Safe) : safe(text, shape)),
      mask: value => value,
      style: () => ({
        show: safe,
        bold: text => text,
        dim: text => text,
        exact: at => safe(String(at)),
        relative: at => safe(String(at)),
      }),
      withLedger: async use => use(await openLedger(path)),
      withLedgerForReading: async use => use(await openLedgerForReading(path)),
      evidence: async typed => [typed],
      breathe: () => immediate(),
      untilWritten: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined),
      planPath: 'plan.jsonl',
    },
    open: () => {
      screen = openScreen(process, async () => null)
      return screen
    },
    hasColour: true,
    isReadOnly: false,
    escapeMs: 40,
    signal: new AbortController().signal,
  })
} catch (error) {
  screen?.close()
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
