import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, operationArgument, reasonOption } from '../deciding/options.js'
import { decidePlainly } from '../deciding/plain-decision.js'
import type { Deps } from '../deps.js'

export const abandon = command({
  name: 'abandon',
  chapter: 'Decide',
  summary: 'stop asking whether an operation happened',
  details: [
    'For what nobody knows and nobody will find out. It leaves every list of what is open, so the code beside its id has to be typed.',
  ],
  args: { op: operationArgument },
  options: { reason: reasonOption, expectVersion: expectVersionOption },
  examples: [
    {
      line: 'agent-ledger abandon mail-7 --reason "the mail log was rotated"',
      does: 'show what is known, ask, and settle it as abandoned',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export function run({ op, reason, expectVersion }: Given<typeof abandon>, deps: Deps): Promise<number> {
  return decidePlainly(
    { type: 'abandon', operationId: op, reason, expectVersion, verb: words`Abandon` },
    deps,
  )
}
