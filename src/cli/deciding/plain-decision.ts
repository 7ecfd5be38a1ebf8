import { type Safe, words } from '../../core/safe-text.js'
import type { Deps } from '../deps.js'
import { decideOperation } from './decide-operation.js'
import { withLedger } from './opened.js'
import { printOutcome } from './outcome.js'
import { requireAnswerable, textOrAsk } from './texts.js'

interface Plain {
  readonly type: 'reopen' | 'abandon' | 'cancel' | 'deny' | 'withdraw' | 'acknowledge'
  readonly operationId: string
  readonly reason: string | undefined
  readonly expectVersion: number | undefined
  /** `Abandon` */
  readonly verb: Safe
}

/** A decision on one operation that says a reason and nothing else, from the question to what it changed. */
export async function decidePlainly(plain: Plain, given: Deps): Promise<number> {
  await requireAnswerable(given, { id: plain.operationId, as: 'operation' }, '--reason')
  const { type, operationId, expectVersion, verb } = plain
  const reason = await textOrAsk(
    plain.reason,
    {
      option: '--reason',
      question: 'Reason',
      decision: type,
      about: { id: plain.operationId, as: 'operation' },
    },
    given,
  )
  return withLedger(given, async opened => {
    const how = { reason, ...(expectVersion === undefined ? {} : { expectVersion }) }
    const label = words`${verb} ${opened.deps.show(operationId)}`
    const decided = await decideOperation(opened, { operationId, ask: { type, how }, label })
    await printOutcome(
      {
        decision: type,
        operation_id: operationId,
        task_id: decided.after.task_id,
        before: decided.before,
        after: decided.after,
        still_sending: decided.still_sending,
        undo: decided.undo,
      },
      opened,
    )
    return 0
  })
}
