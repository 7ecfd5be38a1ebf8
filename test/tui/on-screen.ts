import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSample } from '../../src/demo/sample.js'
import { openLedger, openLedgerForReading } from '../../src/ledger.js'
import { onTerminal } from '../cli/terminal.js'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'bin/agent-ledger.js')

let sample: Promise<string> | undefined

/** A sample ledger of one's own: made once, copied for each. */
export async function sampleLedger(): Promise<string> {
  sample ??= makeSample()
  const path = join(mkdtempSync(join(tmpdir(), 'agent-ledger-screen-')), 'ledger.db')
  copyFileSync(await sample, path)
  return path
}

async function makeSample(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'agent-ledger-sample-')), 'ledger.db')
  await writeSample({ path, now: Date.now(), program: 'test' })
  return path
}

interface Given {
  readonly ledger?: string
  readonly columns?: number
  readonly rows?: number
  readonly env?: Record<string, string>
  readonly args?: readonly string[]
}

/** `agent-ledger triage` on a terminal, once its list is there. */
export async function screenOf({ ledger, columns = 80, rows = 24, env = {}, args = [] }: Given = {}) {
  const path = ledger ?? (await sampleLedger())
  const terminal = onTerminal(process.execPath, [program, 'triage', '--ledger', path, ...args], {
    columns,
    rows,
    env: { AGENT_LEDGER_BY: 'ana', ...env },
    cwd: join(path, '..'),
  })
  const head = () => terminal.screen().slice(0, 2).join('\n')
  return {
    ...terminal,
    path,
    head,
    /** the selected row */
    selected: () => terminal.screen().find(line => line.startsWith('>')) ?? '',
    /** The row of an operation is selected: by the filter, which then is taken away. */
    select: async (id: string) => {
      terminal.type(`/${id}`)
      await until(() => head().includes(`filter ${id}`))
      terminal.type('\r')
      await until(() =>
        (terminal.screen().find(line => line.startsWith('>')) ?? '').includes(id.slice(0, 20)),
      )
    },
    /** Types into a dialog: those that just opened take no keys for 300 ms. */
    answer: async (text: string) => {
      await pause(350)
      terminal.type(text)
    },
    /** The status of an operation, as the ledger has it. */
    status: (id: string) => statusIn(path, id),
  }
}

/** Everything is there that a first look shows. */
export async function started(given: Given = {}) {
  const screen = await screenOf(given)
  await screen.shows('a act')
  return screen
}

export async function statusIn(path: string, id: string): Promise<string> {
  const ledger = await openLedgerForReading(path)
  try {
    return (await ledger.show(id)).document.status
  } finally {
    await ledger.close()
  }
}

/** Somebody else decides meanwhile. */
export async function resolveElsewhere(path: string, id: string): Promise<void> {
  const ledger = await openLedger(path, { actor: 'flag:lee', create: false })
  try {
    await ledger.resolve(id, { as: 'confirmed', evidence: ['seen by lee'], reason: 'it is there' })
  } finally {
    await ledger.close()
  }
}

/** Waits for it; the test's own time limit ends the waiting. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(10)
}

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

/** The terminal was given back: the main screen, raw mode off, pastes unmarked, lines wrapped. */
export const GIVEN_BACK = '\u001b[?2004l\u001b[?7h\u001b[?25h\u001b[0m\u001b[?1049l'
