import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { command, type Given } from '../command.js'
import { withLedger } from '../deciding/opened.js'
import { kindGiven, kindOptions, subjectArgument } from '../deciding/options.js'
import { printOutcome } from '../deciding/outcome.js'
import type { Deps } from '../deps.js'

export const release = command({
  name: 'release',
  chapter: 'Take over',
  summary: 'end your claim of an operation or a task',
  args: { id: subjectArgument },
  options: kindOptions,
  examples: [{ line: 'agent-ledger release incident-88/escalate', does: 'others may claim it' }],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export function run({ id, ...kind }: Given<typeof release>, deps: Deps): Promise<number> {
  return withLedger(deps, async opened => {
    const as = kindGiven(kind)
    const { ref } = await opened.ledger.subject(id, as)
    const isReleased = await opened.ledger.release(id, as)
    const { show } = deps
    await printOutcome(
      {
        decision: 'release',
        ...ref,
        undo: isReleased ? ledgerCommand('claim', as === undefined ? [] : [`--${as}`], id) : null,
        line: isReleased ? words`${show(id)}: released` : words`${show(id)}: nobody had claimed it`,
      },
      opened,
    )
    return 0
  })
}
