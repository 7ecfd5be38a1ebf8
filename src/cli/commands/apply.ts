import { APPLY_FIELDS } from '../../core/documents/apply.js'
import { command, type Given } from '../command.js'
import type { Deps } from '../deps.js'
import { argument, digest, flag, value, wholeNumber } from '../parameters.js'

export const apply = command({
  name: 'apply',
  chapter: 'Decide',
  summary: 'carry a plan out where nothing changed since it was made',
  details: [
    'Each decision is one commit. One whose operation changed since (status, version, digest) is not done, and who changed it is shown; the others are. A plan that was edited after it was made is refused as a whole, and so is one of another ledger.',
    'Each decision has an id: run again, what is done stays done and is not done twice. So a run that was ended in the middle is run again.',
    '--dry-run goes the same way up to the commit, and writes nothing. --digest holds it to the plan that was looked at.',
    'Exit 0: each is done, now or before. 5: none was, since all had changed. 6: some were not.',
  ],
  args: { plan: argument('the file that `plan` made') },
  options: {
    dryRun: flag('tell what would be done, and write nothing'),
    digest: value('sha256:…', 'refuse it unless it is the plan of this digest', digest),
    expect: value('n', 'refuse it unless it holds so many decisions', wholeNumber(1)),
  },
  examples: [
    { line: 'agent-ledger apply plan.jsonl --dry-run', does: 'what each decision would do now' },
    { line: 'agent-ledger apply plan.jsonl', does: 'show how many, ask, and carry them out' },
    { line: 'agent-ledger apply plan.jsonl --yes --jsonl', does: 'in a pipeline, after review' },
  ],
  documents: ['apply@1'],
  fields: APPLY_FIELDS,
  writes: true,
})

export async function run(given: Given<typeof apply>, deps: Deps): Promise<number> {
  const { applyPlan } = await import('../planning/apply-plan.js')
  return applyPlan(given, deps)
}
