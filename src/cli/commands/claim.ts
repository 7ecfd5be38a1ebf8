import { actorWords } from '../../core/actor.js'
import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { words } from '../../core/safe-text.js'
import { ledgerCommand } from '../../core/shell-word.js'
import { command, type Given } from '../command.js'
import { withLedger } from '../deciding/opened.js'
import { kindGiven, kindOptions, subjectArgument } from '../deciding/options.js'
import { printOutcome } from '../deciding/outcome.js'
import { untilGiven } from '../deciding/until.js'
import type { Deps } from '../deps.js'
import { time, value } from '../parameters.js'

export const claim = command({
  name: 'claim',
  chapter: 'Take over',
  summary: 'say that you are looking at an operation or a task, until a time',
  details: ['Others see it and cannot claim it meanwhile. It keeps nobody from deciding.'],
  args: { id: subjectArgument },
  options: {
    until: value('time', 'end of the claim: a time, or a span from now', time, { fallback: '30m' }),
    ...kindOptions,
  },
  examples: [
    { line: 'agent-ledger claim incident-88/escalate', does: 'for half an hour' },
    { line: 'agent-ledger claim incident-88/escalate --until 2h', does: 'for two hours; again renews it' },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

const USUAL_MS = 30 * 60_000

export function run({ id, until, ...kind }: Given<typeof claim>, deps: Deps): Promise<number> {
  return withLedger(deps, async opened => {
    const { ledger } = opened
    const as = kindGiven(kind)
    const end = untilGiven(until ?? { kind: 'span', spanMs: USUAL_MS }, deps)
    const claimed = await ledger.claim(id, { until: end, ...(as === undefined ? {} : { as }) })
    const { show, times } = deps
    const kindFlag = as === undefined ? [] : [`--${as}`]
    await printOutcome(
      {
        decision: 'claim',
        ...claimed.subject,
        until: claimed.until,
        undo: ledgerCommand('release', kindFlag, id),
        line: words`${show(id)}: claimed by ${show(actorWords(ledger.actor))} until ${times.exact(claimed.until)} (${times.relative(claimed.until)})`,
      },
      opened,
    )
    return 0
  })
}
