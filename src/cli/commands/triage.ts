import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'

export const triage = command({
  name: 'triage',
  chapter: 'Take over',
  summary: 'the interactive screen: look, decide, one operation or many',
  args: {},
  options: {},
  examples: [{ line: 'agent-ledger triage', does: 'the ledger in use' }],
})

export async function run(_: Given<typeof triage>, _deps: Deps): Promise<number> {
  const { openScreen } = await import('../terminal/screen.js')
  const { tryIt } = await import('../../tui/try.js')
  const screen = openScreen(process, async () => null)
  await tryIt(screen)
  screen.close()
  return 0
}
