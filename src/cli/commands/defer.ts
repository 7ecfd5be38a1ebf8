import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { command, type Given } from '../command.js'
import { withLedger } from '../deciding/opened.js'
import { operationArgument, reasonOption } from '../deciding/options.js'
import { printOutcome } from '../deciding/outcome.js'
import { textOrAsk } from '../deciding/texts.js'
import { untilGiven } from '../deciding/until.js'
import type { Deps } from '../deps.js'
import { flag, time, value } from '../parameters.js'

export const defer = command({
  name: 'defer',
  chapter: 'Decide',
  summary: 'say that an operation is not to be looked at before a time',
  details: [
    'Hides nothing and moves nothing: it is listed, marked as deferred, and not called stalled meanwhile.',
  ],
  args: { op: operationArgument },
  options: {
    until: value('time', 'not before then: a time, or a span from now', time),
    clear: flag('take an earlier deferral back'),
    reason: reasonOption,
  },
  examples: [
    {
      line: 'agent-ledger defer crm-sync/Nadia --until 2026-12-01T08:00:00Z --reason "their support answers on Tuesday"',
      does: 'leave it alone until then',
    },
    { line: 'agent-ledger defer crm-sync/Nadia --clear --reason "they answered"', does: 'look at it again' },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof defer>, deps: Deps): Promise<number> {
  const { op, until, clear } = given
  if ((until === undefined) !== clear)
    throw new LedgerError('usage', clear ? '--clear and --until exclude each other' : '--until is missing', {
      path: '--until',
      hint: 'Give --until with a time or a span, or --clear.',
    })
  const reason = await textOrAsk(
    given.reason,
    { option: '--reason', question: 'Reason', decision: 'defer', about: { id: op, as: 'operation' } },
    deps,
  )
  return withLedger(deps, async opened => {
    const end = until === undefined ? null : untilGiven(until, deps)
    const { after } = await opened.ledger.defer(op, { until: end, reason })
    const { show, times } = deps
    await printOutcome(
      {
        decision: 'defer',
        operation_id: op,
        task_id: after.task_id,
        after,
        until: end,
        undo: end === null ? null : ledgerCommand('defer', ['--clear', '--reason', '…'], op),
        line:
          end === null
            ? words`${show(op)}: no longer deferred`
            : words`${show(op)}: deferred until ${times.exact(end)} (${times.relative(end)})`,
      },
      opened,
    )
    return 0
  })
}
