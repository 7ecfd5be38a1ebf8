import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, optionalOperationArgument, reasonOption } from '../deciding/options.js'
import { decidePlainly } from '../deciding/plain-decision.js'
import { MANY_DETAILS, requireOneSubject, selectors } from '../deciding/selection.js'
import type { Deps } from '../deps.js'

export const abandon = command({
  name: 'abandon',
  chapter: 'Decide',
  summary: 'stop asking whether an operation happened',
  details: [
    'For what nobody knows and nobody will find out. It leaves every list of what is open, so the code beside its id has to be typed.',
    MANY_DETAILS,
  ],
  args: { op: optionalOperationArgument },
  options: { reason: reasonOption, expectVersion: expectVersionOption, ...selectors },
  examples: [
    {
      line: 'agent-ledger abandon crm-sync/Nadia --reason "the CRM keeps no record of that day"',
      does: 'show what is known, ask, and settle it as abandoned',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof abandon>, deps: Deps): Promise<number> {
  const { op, reason, expectVersion } = given
  requireOneSubject(op, given)
  const verb = words`Abandon`
  if (op === undefined) {
    const { decidePlainlyMany } = await import('../deciding/decide-plainly-many.js')
    return decidePlainlyMany({ type: 'abandon', reason, selectors: given, verb }, deps)
  }
  return decidePlainly({ type: 'abandon', operationId: op, reason, expectVersion, verb }, deps)
}
