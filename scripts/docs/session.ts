import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTerminal } from './terminal.js'

const root = dirname(dirname(import.meta.dirname))

/** What a new user sees: the crash and the takeover, run on a real terminal of 100 columns in an empty folder. */
export async function session(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'agent-ledger-session-'))
  const command = `"${process.execPath}" "${join(root, 'bin/agent-ledger.js')}" demo --crash`
  const { PATH = '', HOME = '' } = process.env
  try {
    const seen = await onTerminal(command, {
      cwd,
      env: { PATH, HOME, AGENT_LEDGER_BY: 'anna' },
      columns: 100,
    })
    // Where the package lies for somebody who installed it.
    const text = seen.replaceAll(root, 'node_modules/agent-ledger').trim()
    return `\`\`\`console\n$ npx agent-ledger demo --crash\n${text}\n\`\`\``
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
