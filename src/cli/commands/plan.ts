import { LedgerError } from '../../core/errors.js'
import { command, type Given } from '../command.js'
import { EVIDENCE_DETAILS } from '../deciding/evidence-details.js'
import { reasonOption } from '../deciding/options.js'
import { isSelecting, selectors } from '../deciding/selection.js'
import type { Deps } from '../deps.js'
import { choice, flag, optionalArgument, remaining, repeated, someText, value } from '../parameters.js'

const DECISIONS = ['resolve', 'allow-retry', 'reopen', 'abandon', 'cancel'] as const
const OUTCOMES = ['confirmed', 'not_executed'] as const
const { skipChanged: _, ...choosing } = selectors

export const plan = command({
  name: 'plan',
  chapter: 'Decide',
  summary: 'freeze decisions in a file to be looked at; nothing is written to the ledger',
  details: [
    'For each operation the file holds the decision with its evidence and reason, and how the operation stood: status, version and a digest. It is JSONL, one decision a line, so that it can be reviewed as a change of files; `agent-ledger schema plan` describes it. `agent-ledger apply` carries it out where nothing changed since.',
    'Name operations, or choose those in doubt with --task, --tool, --unknown, --rule or --cause; or give the decisions in a file as `resolve --file` takes them. What would be refused now is left out and told: exit 6.',
    EVIDENCE_DETAILS,
  ],
  args: {
    decision: optionalArgument('what to decide', { choices: DECISIONS }),
    op: remaining('the operations', { completes: 'operation' }),
  },
  options: {
    as: value('outcome', 'resolve: what became of it', choice(OUTCOMES), { choices: OUTCOMES }),
    evidence: repeated('text', 'resolve: what you saw', someText),
    reason: reasonOption,
    withoutEvidence: flag('resolve: there is no evidence, and you take the risk'),
    early: flag('resolve: not executed, although an attempt may still arrive'),
    otherTarget: flag('resolve: confirmed, although it touched another target than was asked for'),
    acceptDuplicate: value('risk', 'allow-retry: what may happen twice', someText),
    fromFile: value(
      'path',
      'decisions in YAML, JSON or JSONL, as resolve --file takes them; - is stdin',
      someText,
    ),
    output: value('file', 'write it to a file that only you can read; --yes to replace one', someText, {
      fallback: 'stdout',
    }),
    ...choosing,
  },
  examples: [
    {
      line: 'agent-ledger plan resolve --unknown --as not-executed --evidence ticket:OPS-12 --reason "the service was down" --output plan.jsonl',
      does: 'a decision on all in doubt, for somebody to look at',
    },
    {
      line: 'agent-ledger plan --from-file decisions.yaml --output plan.jsonl',
      does: 'freeze reviewed decisions',
    },
    { line: 'agent-ledger apply plan.jsonl --dry-run', does: 'what carrying it out would do' },
  ],
})

export async function run(given: Given<typeof plan>, deps: Deps): Promise<number> {
  const { decision, op, fromFile } = given
  const isChosen = isSelecting({ ...given, skipChanged: false })
  if (fromFile !== undefined) {
    if (decision !== undefined || isChosen)
      throw new LedgerError('usage', '--from-file and a decision exclude each other', { path: '--from-file' })
  } else if (decision === undefined)
    throw new LedgerError('usage', 'no decision was named', {
      hint: `Name one of ${DECISIONS.join(', ')}, or give --from-file.`,
    })
  else if (isChosen === op.length > 0)
    throw new LedgerError(
      'usage',
      isChosen ? 'operations and a choice of many exclude each other' : 'no operation was named',
      {
        hint: 'Name some, or choose many with --task, --tool, --unknown, --rule or --cause. There is no "all".',
      },
    )
  const { makePlan } = await import('../planning/make-plan.js')
  return makePlan(given, deps)
}
