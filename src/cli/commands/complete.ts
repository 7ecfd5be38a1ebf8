import { command, type Given } from '../command.js'
import { type LiveIds, offer } from '../completion/candidates.js'
import type { Deps } from '../deps.js'
import { remaining } from '../parameters.js'

export const complete = command({
  name: 'complete',
  chapter: 'About',
  hidden: true,
  summary: 'answer a completion script: one candidate a line, then how the shell is to treat them',
  args: { words: remaining('the words typed so far, the last one being completed') },
  options: {},
  examples: [{ line: 'agent-ledger complete -- li', does: 'what `agent-ledger li<TAB>` could become' }],
})

// Directives of the script's protocol (cobra's, which @bomb.sh/tab keeps): 0 the shell may add files, 4 it may not.
const FILES = ':0'
const NO_FILES = ':4'

export async function run({ words }: Given<typeof complete>, deps: Deps): Promise<number> {
  const liveIds: LiveIds = async (kind, typed) => {
    const { readIds } = await import('../completion/live-ids.js')
    return readIds({ kind, typed }, deps)
  }
  const commands = await deps.declared()
  const { candidates, files } = await offer({ typed: words, commands, liveIds })
  const lines = candidates.map(({ word, summary }) => `${word}\t${summary}\n`)
  await deps.io.stdout.write(`${lines.join('')}${files ? FILES : NO_FILES}\n`)
  return 0
}
