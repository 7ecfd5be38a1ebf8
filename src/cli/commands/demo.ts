import { join, resolve } from 'node:path'
import { join as joined, type Safe, words } from '../../core/safe-text.js'
import { ledgerCommand, shellWord } from '../../core/shell-word.js'
import { VERSION } from '../../version.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { flag, optionalArgument } from '../parameters.js'

export const demo = command({
  name: 'demo',
  chapter: 'About',
  summary: 'write a sample ledger to try every command on, or live through a crash',
  details: [
    'About ten tasks with operations in every state: confirmed, unknown for several reasons, in flight, waiting, overlapping, doubled, contradicted, settled by hand, taken over; ids of many scripts, and texts that try to deceive whoever reads them. Nothing leaves this machine, and no file is overwritten.',
    'With --crash it starts a small ticket service and an agent that opens a ticket through the library, ends the agent with SIGKILL right after the service did the work, and runs the commands that a person would type, each printed before its output.',
  ],
  args: {
    folder: optionalArgument(
      'where ledger.db is written; agent-ledger-demo when left out, agent-ledger-crash with --crash',
    ),
  },
  options: { crash: flag('a real agent, really killed half-way, and its takeover') },
  examples: [
    { line: 'agent-ledger demo', does: 'write agent-ledger-demo/ledger.db' },
    { line: 'agent-ledger demo --crash', does: 'see a takeover from end to end, in a minute' },
    { line: 'agent-ledger demo /tmp/try', does: 'write it there' },
  ],
})

export async function run({ folder, crash }: Given<typeof demo>, deps: Deps): Promise<number> {
  await (crash
    ? tellStory(folder ?? 'agent-ledger-crash', deps)
    : writeSampleIn(folder ?? 'agent-ledger-demo', deps))
  return 0
}

async function tellStory(folder: string, deps: Deps): Promise<void> {
  const { tellCrashStory } = await import('../demo/crash-story.js')
  await tellCrashStory(folder, deps)
}

async function writeSampleIn(folder: string, deps: Deps): Promise<void> {
  const { writeSample } = await import('../../demo/sample.js')
  const path = join(resolve(deps.io.cwd, folder), 'ledger.db')
  await writeSample({ path, now: deps.now, program: `agent-ledger ${VERSION}` })
  await deps.print(words`wrote ${deps.show(path)}`)
  await deps.say(toTry(path, deps))
}

function toTry(path: string, { show }: Deps): Safe {
  const commands = [
    [ledgerCommand('status', []), 'what is open'],
    [ledgerCommand('list', ['--unknown']), 'what may have happened, riskiest first'],
    [ledgerCommand('report', [], 'incident-88'), 'the takeover report of one task'],
    [ledgerCommand('show', [], 'release-2.8.0/npm'), 'one operation: what is known, and what you may do'],
    [
      ledgerCommand('resolve', ['--as', 'confirmed'], 'release-2.8.0/npm'),
      'settle it: asks for evidence and a reason',
    ],
    [ledgerCommand('takeover', [], 'newsletter autumn'), 'fence a running agent off'],
    [ledgerCommand('log', [], 'crm-sync'), 'who decided what'],
    [ledgerCommand('verify', []), 'whether anybody changed the record'],
  ] as const
  const widest = Math.max(...commands.map(([line]) => line.length))
  return joined(
    [
      words`try, after  export AGENT_LEDGER=${show(shellWord(path))}`,
      ...commands.map(([line, does]) => words`  ${show(line.padEnd(widest))}  ${show(does)}`),
      words`where agent-ledger is not on the PATH: npx before each line, or  export PATH="$PWD/node_modules/.bin:$PATH"`,
    ],
    '\n',
  )
}
