import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, optionalOperationArgument, reasonOption } from '../deciding/options.js'
import { MANY_DETAILS, requireOneSubject, selectors } from '../deciding/selection.js'
import type { Deps } from '../deps.js'
import { someText, value } from '../parameters.js'

export const allowRetry = command({
  name: 'allow-retry',
  chapter: 'Decide',
  summary: 'let an operation be sent once more',
  details: [
    'One attempt beyond its budget, sent by whoever carries its task on. Shows what would be sent again. A cancelled operation comes back by it; a denied one never does.',
    'Where an earlier attempt may have taken effect and the service does not recognise a repeat, it is refused until you name the risk you take: --accept-duplicate.',
    MANY_DETAILS,
  ],
  args: { op: optionalOperationArgument },
  options: {
    reason: reasonOption,
    acceptDuplicate: value('risk', 'what may happen twice; stays on the record', someText),
    expectVersion: expectVersionOption,
    ...selectors,
  },
  examples: [
    {
      line: 'agent-ledger allow-retry crm-sync/Ilja --reason "the quota is back"',
      does: 'one more attempt of what certainly did not happen',
    },
    {
      line: 'agent-ledger allow-retry crm-sync/Tom --accept-duplicate "the contact may stand there twice" --reason "the customer waits"',
      does: 'the same for what may have happened; the code beside the id has to be typed',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof allowRetry>, deps: Deps): Promise<number> {
  const { op, reason, acceptDuplicate } = given
  requireOneSubject(op, given)
  if (op === undefined) {
    const { decidePlainlyMany } = await import('../deciding/decide-plainly-many.js')
    const verb = words`Send once more`
    return decidePlainlyMany({ type: 'allow_retry', reason, acceptDuplicate, selectors: given, verb }, deps)
  }
  const { allowOneRetry } = await import('../deciding/allow-one-retry.js')
  return allowOneRetry({ ...given, op }, deps)
}
