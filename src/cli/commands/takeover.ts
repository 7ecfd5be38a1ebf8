import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { decideTask } from '../deciding/decide-task.js'
import { withLedger } from '../deciding/opened.js'
import { reasonOption, taskArgument } from '../deciding/options.js'
import { requireAnswerable, textOrAsk } from '../deciding/texts.js'
import type { Deps } from '../deps.js'

export const takeover = command({
  name: 'takeover',
  chapter: 'Take over',
  summary: 'hold a task: its executors are fenced off until you hand it back',
  details: [
    'What is in flight becomes unknown: its executor may have sent it, and its answer will count as late evidence only.',
    'Bytes that are on their way cannot be called back; until when they may still leave is printed.',
  ],
  args: { task: taskArgument },
  options: { reason: reasonOption },
  examples: [
    {
      line: 'agent-ledger takeover billing/2026-11 --reason "the agent repeats itself"',
      does: 'ask, fence the executors off, and say what may still be sent',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof takeover>, deps: Deps): Promise<number> {
  await requireAnswerable(deps, { id: given.task, as: 'task' }, '--reason')
  const reason = await textOrAsk(
    given.reason,
    { option: '--reason', question: 'Reason', decision: 'takeover', about: { id: given.task, as: 'task' } },
    deps,
  )
  return withLedger(deps, opened =>
    decideTask(opened, {
      type: 'takeover',
      taskId: given.task,
      reason,
      verb: words`Take over`,
      consequences: [
        words`its executors can send nothing more until you hand it back`,
        words`what is in flight becomes unknown`,
      ],
      isDangerous: true,
    }),
  )
}
