import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, operationArgument, reasonOption } from '../deciding/options.js'
import { decidePlainly } from '../deciding/plain-decision.js'
import type { Deps } from '../deps.js'

export const deny = command({
  name: 'deny',
  chapter: 'Decide',
  summary: 'refuse leave to send an operation, for good',
  details: [
    'What was never sent is cancelled; no further attempt of it follows, its approvals are taken back, and nobody can approve it any more. There is no way back: another intent is another operation. To stop it for now, use cancel.',
  ],
  args: { op: operationArgument },
  options: { reason: reasonOption, expectVersion: expectVersionOption },
  examples: [
    {
      line: 'agent-ledger deny contract-review/send --reason "wrong version"',
      does: 'ask, and see to it that it is never sent',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export function run({ op, reason, expectVersion }: Given<typeof deny>, deps: Deps): Promise<number> {
  return decidePlainly({ type: 'deny', operationId: op, reason, expectVersion, verb: words`Deny` }, deps)
}
