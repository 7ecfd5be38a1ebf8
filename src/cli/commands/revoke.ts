import { actorWords } from '../../core/actor.js'
import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { join, words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { confirmOnRecord } from '../deciding/confirm-on-record.js'
import { withLedger } from '../deciding/opened.js'
import { reasonOption } from '../deciding/options.js'
import { printOutcome } from '../deciding/outcome.js'
import { requireAnswerable, textOrAsk } from '../deciding/texts.js'
import type { Deps } from '../deps.js'
import { argument } from '../parameters.js'

export const revoke = command({
  name: 'revoke',
  chapter: 'Decide',
  summary: 'take back the leave to send an operation, or one approval of it',
  details: [
    'The next send is refused. What is in flight stays so: until when its bytes may still leave is printed.',
  ],
  args: { id: argument('an operation, or an approval', { completes: 'operation' }) },
  options: { reason: reasonOption },
  examples: [
    {
      line: 'agent-ledger revoke contract-review/send --reason "the contract is disputed"',
      does: 'no send of wire-9 is permitted any more',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run({ id, reason: given }: Given<typeof revoke>, deps: Deps): Promise<number> {
  // an approval may be named too: whether there is one is for the ledger to say
  await requireAnswerable(deps, null, '--reason')
  const reason = await textOrAsk(given, { option: '--reason', question: 'Reason', decision: 'revoke' }, deps)
  return withLedger(deps, async opened => {
    await confirmOnRecord(opened, {
      label: words`Take back the leave to send ${deps.show(id)}`,
      about: null,
      decision: 'revoke',
      facts: { id },
    })
    const { operation, revoked, still_sending, undo } = await opened.ledger.revoke(id, { reason })
    const { show } = opened.deps
    const ids = revoked.map(({ approval_id }) => show(approval_id))
    await printOutcome(
      {
        decision: 'revoke',
        operation_id: operation.operation_id,
        task_id: operation.task_id,
        after: operation,
        approvals: revoked,
        still_sending,
        undo,
        line: words`${show(operation.operation_id)}: not approved any more, by ${show(actorWords(opened.ledger.actor))} (${join(ids, ', ')})`,
      },
      opened,
    )
    return 0
  })
}
