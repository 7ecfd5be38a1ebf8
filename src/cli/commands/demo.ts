import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { flag, optionalArgument } from '../parameters.js'

export const demo = command({
  name: 'demo',
  chapter: 'About',
  summary: 'show a crash and the takeover, live',
  details: [
    'Starts a small ticket service and an agent that opens a ticket through the library, ends the agent with SIGKILL right after the service did the work, and then runs the commands a person would type, each printed before its output. Nothing leaves this machine.',
  ],
  args: { folder: optionalArgument('where ledger.db is written') },
  options: { crash: flag('the story of an agent that dies half-way') },
  examples: [{ line: 'agent-ledger demo --crash', does: 'a real agent, really killed, and taken over' }],
})

const FOLDER = 'agent-ledger-demo'

export async function run({ folder = FOLDER }: Given<typeof demo>, deps: Deps): Promise<number> {
  const { tellCrashStory } = await import('../demo/crash-story.js')
  await tellCrashStory(folder, deps)
  return 0
}
