import { actorWords } from '../../core/actor.js'
import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { withLedger } from '../deciding/opened.js'
import { kindGiven, kindOptions, subjectArgument } from '../deciding/options.js'
import { printOutcome } from '../deciding/outcome.js'
import { textOrAsk } from '../deciding/texts.js'
import type { Deps } from '../deps.js'
import { choice, optionalArgument, value } from '../parameters.js'

const KINDS = ['finding', 'open', 'hypothesis', 'workspace', 'remark'] as const

export const note = command({
  name: 'note',
  chapter: 'Take over',
  summary: 'leave a handoff note on an operation or a task',
  details: ['Notes stay as they are and stand in the report. `-` reads the text from stdin.'],
  args: { id: subjectArgument, text: optionalArgument('what to tell; asked for on a terminal') },
  options: {
    kind: value('kind', 'what it tells', choice(KINDS), { choices: KINDS, fallback: 'remark' }),
    ...kindOptions,
  },
  examples: [
    {
      line: 'agent-ledger note incident-88/escalate --kind finding "the gateway answered 504 from 11:58 to 12:03"',
      does: 'keep what you found for whoever comes next',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof note>, deps: Deps): Promise<number> {
  const { id, kind = 'remark' } = given
  const said = given.text === '-' ? await deps.io.readAll() : given.text
  const text = await textOrAsk(said, { option: '<text>', question: 'Note' }, deps)
  return withLedger(deps, async opened => {
    const as = kindGiven(given)
    const noted = await opened.ledger.note(id, text, { kind, ...(as === undefined ? {} : { as }) })
    const { show } = deps
    await printOutcome(
      {
        decision: 'note',
        task_id: noted.task_id,
        ...(noted.operation_id === null ? {} : { operation_id: noted.operation_id }),
        undo: null,
        line: words`${show(id)}: ${show(kind)} noted by ${show(actorWords(noted.actor))}; notes stay`,
      },
      opened,
    )
    return 0
  })
}
