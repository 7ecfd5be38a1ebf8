import { safe } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { optionalArgument } from '../parameters.js'

export const help = command({
  name: 'help',
  chapter: 'About',
  summary: 'explain a topic or a command',
  args: { topic: optionalArgument('a topic or a command') },
  options: {},
  examples: [{ line: 'agent-ledger help exit-codes', does: 'what each exit code means' }],
})

export async function run({ topic }: Given<typeof help>, deps: Deps): Promise<number> {
  await deps.print(safe(topic ?? '', { multiline: true }))
  return 0
}
