import { join, type Safe, words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import type { Compensable, Compensating } from '../../ledger/compensating.js'
import type { Deps } from '../deps.js'
import { confirmOnRecord } from './confirm-on-record.js'
import { withLedger } from './opened.js'
import { printOutcome } from './outcome.js'
import { requireAnswerable, textOrAsk } from './texts.js'
import { sentLines } from './what-is-sent.js'

interface Asked {
  readonly op: string
  readonly reason: string | undefined
  readonly expectVersion: number | undefined
}

/** Shows what undoes an operation, asks, and writes it down. */
export async function compensateOne(asked: Asked, given: Deps): Promise<number> {
  await requireAnswerable(given, { id: asked.op, as: 'operation' }, '--reason')
  const { op } = asked
  const reason = await textOrAsk(
    asked.reason,
    {
      option: '--reason',
      question: 'Reason',
      decision: 'compensate',
      about: { id: asked.op, as: 'operation' },
    },
    given,
  )
  return withLedger(given, async opened => {
    const { ledger, deps } = opened
    const found = await ledger.compensable(op)
    // what is refused, or there already, is said at once: there is nothing to ask about
    if (found.kind === 'new') {
      if (!deps.global.yes) await deps.say(summary(found, reason, deps))
      const label = words`Undo ${deps.show(op)}`
      await confirmOnRecord(opened, { label, about: { operation_id: op }, decision: 'compensate' })
    }
    const expectVersion = asked.expectVersion ?? (found.kind === 'new' ? found.operation.version : undefined)
    const how = { reason, ...(expectVersion === undefined ? {} : { expectVersion }) }
    const done = await ledger.compensate(op, how)
    const { operation } = done
    await printOutcome(
      {
        decision: 'compensate',
        operation_id: operation.operation_id,
        task_id: operation.task_id,
        after: operation,
        undo:
          operation.status === 'prepared'
            ? ledgerCommand('cancel', ['--reason', '…'], operation.operation_id)
            : null,
        line: outcome(done, deps),
      },
      opened,
    )
    return 0
  })
}

function summary(
  { operation, intent, possible }: Extract<Compensable, { kind: 'new' }>,
  reason: string,
  deps: Deps,
): Safe {
  const { show } = deps
  return join(
    [
      words`${show(operation.operation_id)} (${show(operation.tool)}) is confirmed: ${show(possible)}`,
      words`  undone by ${show(intent.operation_id)}`,
      ...sentLines(intent, deps),
      words`  reason  ${show(reason, { max: 400 })}`,
    ],
    '\n',
  )
}

/** What stands between it and its effect: said by how it stands now. */
function outcome({ undone, operation, isNew }: Compensating, { show }: Deps): Safe {
  const [id, of] = [show(operation.operation_id), show(undone.operation_id)]
  if (operation.status === 'confirmed')
    return words`${of} was done, then undone by ${id}: nothing is to be sent`
  if (operation.status !== 'prepared')
    return words`${id} undoes ${of}, and is ${show(operation.status)}: ${show(ledgerCommand('show', [], operation.operation_id))}`
  const there = isNew ? words`${id} is written down` : words`${id} is there already`
  const approval =
    operation.contract.approval === 'required'
      ? words`it needs an approval: ${show(ledgerCommand('approve', [], operation.operation_id))}; then `
      : words``
  return words`${there} and not sent: ${approval}whoever carries ${show(operation.tool)} out sends it under this id (ledger.run, or agent-ledger record send)`
}
