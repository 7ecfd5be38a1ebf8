import { script } from '@bomb.sh/tab'
import { command, type Given } from '../command.js'
import { BASH_SCRIPT } from '../completion/bash.js'
import type { Deps } from '../deps.js'
import { argument } from '../parameters.js'

export const completion = command({
  name: 'completion',
  chapter: 'About',
  summary: 'print the completion script of a shell',
  details: ['Commands, options and their values are completed, and ids of the ledger in use.'],
  args: { shell: argument('the shell', { choices: ['bash', 'zsh', 'fish', 'powershell'] }) },
  options: {},
  examples: [
    {
      line: 'source <(agent-ledger completion bash)',
      does: 'complete in this shell; put the line in ~/.bashrc to keep it',
    },
    { line: 'agent-ledger completion zsh > ~/.zsh/completions/_agent-ledger', does: 'install it for zsh' },
    {
      line: 'agent-ledger completion fish > ~/.config/fish/completions/agent-ledger.fish',
      does: 'install it for fish',
    },
  ],
})

export async function run({ shell }: Given<typeof completion>, deps: Deps): Promise<number> {
  // @bomb.sh/tab prints the script itself; it calls `agent-ledger complete -- <words>` at each TAB.
  if (shell === 'bash') await deps.io.stdout.write(BASH_SCRIPT)
  else script(shell, 'agent-ledger', 'agent-ledger')
  return 0
}
