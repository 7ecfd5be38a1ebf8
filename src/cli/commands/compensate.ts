import { DECISION_FIELDS } from '../../core/documents/decision.js'
import { command, type Given } from '../command.js'
import { expectVersionOption, operationArgument, reasonOption } from '../deciding/options.js'
import type { Deps } from '../deps.js'

export const compensate = command({
  name: 'compensate',
  chapter: 'Decide',
  summary: 'start what undoes an operation, as an operation of its own',
  details: [
    'Only what is confirmed is undone; what is unknown is settled first. What undoes it is declared by its tool (compensate: in agent-ledger.yaml, copied when the operation was prepared), and has its own id, key, approval and outcome.',
    'It is written down, not sent: whoever carries its tool out sends it, and its send asks again whether there is something to undo. Asked for a second time, the command answers with the one that is there.',
  ],
  args: { op: operationArgument },
  options: { reason: reasonOption, expectVersion: expectVersionOption },
  examples: [
    {
      line: 'agent-ledger compensate billing/2026-11/charge-10-again --reason "charged twice"',
      does: 'show what undoes it, ask, and write it down',
    },
  ],
  documents: ['decision@1'],
  fields: DECISION_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof compensate>, deps: Deps): Promise<number> {
  const { compensateOne } = await import('../deciding/compensate-one.js')
  return compensateOne(given, deps)
}
