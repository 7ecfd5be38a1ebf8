import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, operationArgument, reasonOption } from '../deciding/options.js'
import { decidePlainly } from '../deciding/plain-decision.js'
import type { Deps } from '../deps.js'

export const reopen = command({
  name: 'reopen',
  chapter: 'Decide',
  summary: 'doubt how an operation was settled: it is unknown again',
  details: [
    'The way back from resolve and abandon. Nothing is sent by it, and what was reopened is never sent again by itself.',
  ],
  args: { op: operationArgument },
  options: { reason: reasonOption, expectVersion: expectVersionOption },
  examples: [
    {
      line: 'agent-ledger reopen crm-sync/Mara --reason "the contact belongs to another customer"',
      does: 'ask, then put it back among what is unknown',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export function run({ op, reason, expectVersion }: Given<typeof reopen>, deps: Deps): Promise<number> {
  return decidePlainly({ type: 'reopen', operationId: op, reason, expectVersion, verb: words`Reopen` }, deps)
}
