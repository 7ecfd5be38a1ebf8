import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { decideTask } from '../deciding/decide-task.js'
import { withLedger } from '../deciding/opened.js'
import { expectVersionOption, kindOptions, reasonOption, subjectArgument } from '../deciding/options.js'
import { decidePlainly } from '../deciding/plain-decision.js'
import { requireAnswerable, textOrAsk } from '../deciding/texts.js'
import type { Deps } from '../deps.js'
import { flag } from '../parameters.js'

export const cancel = command({
  name: 'cancel',
  chapter: 'Decide',
  summary: 'see to it that no further attempt of an operation, or of a task, is sent',
  details: [
    'What was never sent is cancelled. What was sent stays as it is: a cancel proves nothing undone, and bytes may still leave until the time that is printed.',
    'With --withdraw the leave to send of a prepared operation is taken back, and it waits.',
  ],
  args: { id: subjectArgument },
  options: {
    reason: reasonOption,
    withdraw: flag('take back the leave to send of a prepared operation'),
    expectVersion: expectVersionOption,
    ...kindOptions,
  },
  examples: [
    {
      line: 'agent-ledger cancel billing/2026-11/charge-13 --reason "wrong invoice"',
      does: 'no attempt of mail-7 is sent any more',
    },
    {
      line: 'agent-ledger cancel --task release-2.8.0 --reason "wrong release"',
      does: 'the same for all of a task',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof cancel>, deps: Deps): Promise<number> {
  const { id, withdraw, expectVersion, task, operation } = given
  const as = task ? 'task' : operation || withdraw ? 'operation' : undefined
  await requireAnswerable(deps, { id, ...(as === undefined ? {} : { as }) }, '--reason')
  if (!task && (operation || withdraw || expectVersion !== undefined || !(await isTask(id, deps))))
    return decidePlainly(
      {
        type: withdraw ? 'withdraw' : 'cancel',
        operationId: id,
        reason: given.reason,
        expectVersion,
        verb: withdraw ? words`Take back the leave to send` : words`Cancel`,
      },
      deps,
    )
  if (withdraw || expectVersion !== undefined)
    throw new LedgerError('usage', '--withdraw and --expect-version are for one operation', { id })
  const reason = await textOrAsk(
    given.reason,
    { option: '--reason', question: 'Reason', decision: 'cancel_task' },
    deps,
  )
  return withLedger(deps, opened =>
    decideTask(opened, {
      type: 'cancel_task',
      taskId: id,
      reason,
      verb: words`Cancel task`,
      consequences: [
        words`its prepared operations are cancelled, also those that were to undo something; the others are asked to stop`,
      ],
      isDangerous: true,
    }),
  )
}

function isTask(id: string, deps: Deps): Promise<boolean> {
  return withLedger(deps, async ({ ledger }) => (await ledger.subject(id)).kind === 'task')
}
