import { words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { decideOperation } from './decide-operation.js'
import { withLedger } from './opened.js'
import { printOutcome } from './outcome.js'
import { requireAnswerable, textGiven, textOrAsk } from './texts.js'
import { sentLines } from './what-is-sent.js'

interface Asked {
  readonly op: string
  readonly reason: string | undefined
  readonly acceptDuplicate: string | undefined
  readonly expectVersion: number | undefined
}

/** Shows what would be sent again, asks, and grants one more attempt. */
export async function allowOneRetry(asked: Asked, given: Deps): Promise<number> {
  await requireAnswerable(given, { id: asked.op, as: 'operation' }, '--reason')
  const { op, expectVersion } = asked
  const acceptDuplicate = textGiven(asked.acceptDuplicate)
  const reason = await textOrAsk(
    asked.reason,
    {
      option: '--reason',
      question: 'Reason',
      decision: 'allow_retry',
      about: { id: asked.op, as: 'operation' },
    },
    given,
  )
  return withLedger(given, async opened => {
    const { deps, ledger } = opened
    const how = {
      reason,
      ...(acceptDuplicate === undefined ? {} : { acceptDuplicate }),
      ...(expectVersion === undefined ? {} : { expectVersion }),
    }
    const label = words`Send ${deps.show(op)} once more`
    const decided = await decideOperation(opened, {
      operationId: op,
      ask: { type: 'allow_retry', how },
      label,
      about: ({ before }) => [words`  what is sent again:`, ...sentLines(before, deps)],
    })
    const { after, before, still_sending, undo } = decided
    await printOutcome(
      {
        decision: 'allow_retry',
        operation_id: op,
        task_id: after.task_id,
        before,
        after,
        still_sending,
        undo,
      },
      opened,
    )
    const { show } = deps
    if (after.contract.approval === 'required' && (await ledger.approvable(op)).refusal === null)
      await deps.say(words`it needs an approval before it is sent: agent-ledger approve ${show(op)}`)
    return 0
  })
}
