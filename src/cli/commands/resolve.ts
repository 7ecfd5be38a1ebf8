import { RESOLVE_FIELDS } from '../../core/documents/resolve.js'
import { LedgerError } from '../../core/errors.js'
import { words } from '../../core/safe-text.js'
import { command, type Given } from '../command.js'
import { EVIDENCE_DETAILS } from '../deciding/evidence-details.js'
import { expectVersionOption, optionalOperationArgument, reasonOption } from '../deciding/options.js'
import { isSelecting, MANY_DETAILS, requireOneSubject, selectors } from '../deciding/selection.js'
import type { Deps } from '../deps.js'
import { choice, flag, keyValue, repeated, someText, value } from '../parameters.js'

const OUTCOMES = ['confirmed', 'not_executed'] as const

export const resolve = command({
  name: 'resolve',
  chapter: 'Decide',
  summary: 'settle an operation by hand: it took effect, or it did not',
  details: [
    'Rests on evidence and says why; both stay on the record, and that it was settled by hand is shown for ever. On a terminal what is missing is asked for. The decision is refused when the operation changed since it was shown.',
    'With --file many are settled: a YAML or JSON list, or JSONL, of {operation_id, as, evidence, reason, …}. Without --yes it is a dry run. Each decision has an id, so carrying the file out twice changes nothing; `agent-ledger schema decisions` describes it. JSONL is read line by line, at any length; YAML and JSON are held whole, up to 8 MB.',
    EVIDENCE_DETAILS,
    MANY_DETAILS,
  ],
  args: { op: optionalOperationArgument },
  options: {
    as: value('outcome', 'what became of it', choice(OUTCOMES), { choices: OUTCOMES }),
    evidence: repeated('text', 'what you saw: a link, an id, a line of a log', someText),
    reason: reasonOption,
    result: value('json|@file', 'the value a resumed run goes on with', someText),
    externalId: repeated('kind=value', 'what the service calls it', keyValue),
    expectVersion: expectVersionOption,
    early: flag('not executed, although an attempt may still arrive'),
    otherTarget: flag('confirmed, although it touched another target than was asked for'),
    withoutEvidence: flag('there is no evidence, and you take the risk; stays on the record'),
    acknowledgeDuplicates: flag('instead of an outcome: you know that more than one object carries its id'),
    file: value('path', 'many decisions: YAML, JSON or JSONL; - is stdin', someText),
    ...selectors,
  },
  examples: [
    {
      line: 'agent-ledger resolve incident-88/escalate --as confirmed --evidence https://tickets.example/OPS-313 --external-id ticket=OPS-313 --reason "it is there"',
      does: 'show what is known, ask, and settle it',
    },
    {
      line: 'agent-ledger resolve crm-sync/Tom --as not-executed --evidence "not in the CRM, searched by name" --reason "never left"',
      does: 'the same; the code beside the id has to be typed, since it may be sent again',
    },
    {
      line: 'agent-ledger resolve --task scraper-5 --as not-executed --evidence "service log of 10:00-11:00" --reason "it was down" --yes --expect 5',
      does: 'settle the five of a task that are in doubt, or none',
    },
    { line: 'agent-ledger resolve --file decisions.yaml', does: 'a dry run of many' },
    { line: 'agent-ledger resolve --file decisions.yaml --yes', does: 'carry them out' },
  ],
  documents: ['resolve@1', 'decision@1'],
  fields: RESOLVE_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof resolve>, deps: Deps): Promise<number> {
  const { op, file } = given
  if (file !== undefined && (op !== undefined || isSelecting(given)))
    throw new LedgerError('usage', 'an operation, a choice of many and --file exclude each other', {
      path: '--file',
    })
  if (file !== undefined) {
    const { resolveFile } = await import('../deciding/resolve-file.js')
    return resolveFile(file, given, deps)
  }
  if (given.acknowledgeDuplicates) return acknowledge(given, deps)
  requireOneSubject(op, given)
  const { resolveMany, resolveOne } = await import('../deciding/resolve-one.js')
  return op === undefined ? resolveMany(given, deps) : resolveOne(op, given, deps)
}

/** The outcome stays as it is, so it is a decision of its own. */
async function acknowledge(given: Given<typeof resolve>, deps: Deps): Promise<number> {
  const { op, reason, expectVersion } = given
  const more = given.as !== undefined || given.evidence.length > 0 || given.result !== undefined
  if (op === undefined || more || isSelecting(given))
    throw new LedgerError(
      'usage',
      '--acknowledge-duplicates wants one operation and --reason, and settles nothing',
      {
        path: '--acknowledge-duplicates',
      },
    )
  const { decidePlainly } = await import('../deciding/plain-decision.js')
  const verb = words`Acknowledge the duplicates of`
  return decidePlainly({ type: 'acknowledge', operationId: op, reason, expectVersion, verb }, deps)
}
