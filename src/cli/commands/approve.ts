import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { approveOne } from '../deciding/approve-one.js'
import { operationArgument } from '../deciding/options.js'
import type { Deps } from '../deps.js'
import { digest, someText, time, value, wholeNumber } from '../parameters.js'

export const approve = command({
  name: 'approve',
  chapter: 'Decide',
  summary: 'give leave to send exactly what is shown',
  details: [
    'Shows what would be sent: tool, target, input, effect, what a repeat does, policy. The leave holds for the digest of that and for nothing else; another input is another operation.',
    'Without a terminal the digest must be named, so that nobody approves what they did not see: `agent-ledger show <op> --json` has it.',
  ],
  args: { op: operationArgument },
  options: {
    reason: value('text', 'why; stays on the record', someText),
    expires: value('time', 'permits nothing after it: a time, or a span from now', time),
    uses: value('n', 'how many sends, retries without effect not counted', wholeNumber(1), {
      fallback: '1',
    }),
    expectDigest: value('digest', 'refuse it when anything else would be sent', digest),
  },
  examples: [
    {
      line: 'agent-ledger approve contract-review/send --reason "the contract was checked" --expires 2h',
      does: 'see what would be sent, and say yes',
    },
    {
      line: 'agent-ledger approve contract-review/send --expect-digest sha256:9f2c… --yes',
      does: 'for a script that was told the digest of what was reviewed',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export function run(given: Given<typeof approve>, deps: Deps): Promise<number> {
  return approveOne({ ...given, label: words`Approve ${deps.show(given.op)}` }, deps)
}
