import { command, type Given } from '../command.js'
import { offer } from '../completion/candidates.js'
import { splitLine } from '../completion/split-line.js'
import type { Deps } from '../deps.js'
import { flag, remaining } from '../parameters.js'

export const complete = command({
  name: 'complete',
  chapter: 'About',
  hidden: true,
  summary: 'answer a completion script: one candidate a line, then how the shell is to treat them',
  args: { words: remaining('the words typed so far, the last one being completed') },
  options: { line: flag('the words are one text: the line up to the cursor, the program named') },
  examples: [{ line: 'agent-ledger complete -- li', does: 'what `agent-ledger li<TAB>` could become' }],
})

// Directives of the script's protocol (cobra's, which @bomb.sh/tab keeps): 0 the shell may add files, 4 it may not.
const FILES = ':0'
const NO_FILES = ':4'

export async function run({ words, line }: Given<typeof complete>, deps: Deps): Promise<number> {
  const typed = line ? splitLine(words.join(' ')) : words
  const { candidates, files } = await offer({ typed, commands: deps.commands, liveIds: deps.liveIds })
  const lines = candidates.map(({ word, summary }) => `${word}\t${summary}\n`)
  await deps.io.stdout.write(`${lines.join('')}${files ? FILES : NO_FILES}\n`)
  return 0
}
