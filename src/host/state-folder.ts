import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where this user keeps what programs must not lose and nobody edits: `$XDG_STATE_HOME/agent-ledger`, else
 * `~/.local/state/agent-ledger` (https://specifications.freedesktop.org/basedir-spec/latest/).
 */
export function stateFolder(): string {
  const given = process.env.XDG_STATE_HOME ?? ''
  return join(isAbsolute(given) ? given : join(homedir(), '.local', 'state'), 'agent-ledger')
}
