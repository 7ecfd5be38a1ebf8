import { didYouMean } from '../../core/did-you-mean.js'
import { LedgerError } from '../../core/errors.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { optionalArgument } from '../parameters.js'
import { TOPICS } from '../topics/index.js'

export const help = command({
  name: 'help',
  chapter: 'About',
  summary: 'explain a topic or a command; without one, list the commands',
  args: { topic: optionalArgument('exit-codes, environment, formatting, states, or a command') },
  options: {},
  examples: [
    { line: 'agent-ledger help exit-codes', does: 'what each exit code means' },
    { line: 'agent-ledger help states', does: 'what a status means and where it can go from there' },
    { line: 'agent-ledger help list', does: 'the same as agent-ledger list --help' },
  ],
})

// `help <command>` and `help` alone are turned into `--help` before they get here: only the parser knows how to print that.
export async function run({ topic }: Given<typeof help>, deps: Deps): Promise<number> {
  const found = TOPICS.find(({ name }) => name === topic)
  if (found !== undefined) {
    await deps.print(found.text())
    return 0
  }
  const topics = TOPICS.map(({ name }) => name)
  const commands = (await deps.declared()).filter(({ hidden }) => hidden !== true).map(({ name }) => name)
  throw new LedgerError(
    'usage',
    topic === undefined
      ? 'help takes no options'
      : `there is no topic or command ${JSON.stringify(topic)}${didYouMean(topic, [...topics, ...commands])}`,
    { hint: `The topics are ${topics.join(', ')}; agent-ledger --help lists the commands.` },
  )
}
