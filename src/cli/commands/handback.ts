import { actorWords } from '../../core/actor.js'
import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { decideTask } from '../deciding/decide-task.js'
import { withLedger } from '../deciding/opened.js'
import { reasonOption, taskArgument } from '../deciding/options.js'
import { requireAnswerable, textGiven } from '../deciding/texts.js'
import type { Deps } from '../deps.js'

export const handback = command({
  name: 'handback',
  chapter: 'Take over',
  summary: 'give a task back: executors that open it again may send',
  details: ['Executors that ran before the takeover stay fenced off. A reason may be given; none is needed.'],
  args: { task: taskArgument },
  options: { reason: reasonOption },
  examples: [{ line: 'agent-ledger handback agent-13 --reason "settled by hand"', does: 'let it go on' }],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof handback>, deps: Deps): Promise<number> {
  await requireAnswerable(deps, { id: given.task, as: 'task' }, 'the task')
  return withLedger(deps, async opened => {
    const { task } = await opened.ledger.subject(given.task, 'task')
    const holder = task.taken_over_by
    const isOthers = holder !== null && holder !== opened.ledger.actor
    const { show } = deps
    return decideTask(opened, {
      type: 'handback',
      taskId: given.task,
      reason: textGiven(given.reason) ?? '',
      verb: words`Hand back`,
      consequences: isOthers ? [words`! it is held by ${show(actorWords(holder))}, not by you`] : [],
      isDangerous: isOthers,
    })
  })
}
