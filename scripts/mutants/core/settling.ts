import { conditional, people, plain, test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const TABLE = 'src/core/transitions/table.ts'
const DECISION = 'src/core/transitions/guards/decision.ts'
const RECORD = 'src/core/transitions/record.ts'
const RECORD_DECISION = 'src/core/transitions/record-decision.ts'

/** Verdicts and decisions. */
export const SETTLING_MUTANTS: readonly Mutant[] = [
  {
    id: 'version-ignored',
    without: 'a person decides on what they saw',
    file: DECISION,
    find: '    request.expected_version === operation.version',
    replace: '    request.expected_version <= operation.version',
    killedBy: plain,
  },
  {
    id: 'absent-while-changing',
    without: 'a probe that began before a send proves nothing',
    file: TABLE,
    find: 'guards: [probeAsSeen, neverContradicted,',
    replace: 'guards: [neverContradicted,',
    killedBy: conditional,
  },
  {
    id: 'absent-against-a-receipt',
    without: 'with a receipt or an id on file absence is never proven',
    file: TABLE,
    find: 'neverContradicted, nothingOnFile, clocksTrusted, evidenceGiven]',
    replace: 'neverContradicted, clocksTrusted, evidenceGiven]',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'are both refused with a receipt or an id on file',
    ),
  },
  {
    id: 'absent-in-clock-doubt',
    without: 'no absence is concluded while the clocks disagree',
    file: TABLE,
    find: 'nothingOnFile, clocksTrusted, evidenceGiven]',
    replace: 'nothingOnFile, evidenceGiven]',
    killedBy: test('test/core/transitions/guards.test.ts', 'are both refused when the clocks disagree'),
  },
  {
    id: 'absent-forgets-doubt',
    without: 'a verdict of absence is for every attempt in doubt',
    file: RECORD,
    find: "        set: { settled_by: 'probe' },\n        ends: allInDoubt(move),",
    replace: "        set: { settled_by: 'probe' },\n        ends: [],",
    killedBy: test(
      'test/core/transitions/record.test.ts',
      'by absence ends what was in doubt and nothing else, and names what the probe had seen',
    ),
  },
  {
    id: 'rerun-in-doubt',
    without: 'a rerun is for what certainly did not happen',
    file: TABLE,
    find: 'guards: [notDenied, noCancelAsked, nothingApplied, budgetLeft]',
    replace: 'guards: [notDenied, noCancelAsked, budgetLeft]',
    killedBy: plain,
  },
  {
    id: 'rerun-after-denial',
    without: 'a denial is final',
    file: TABLE,
    find: 'guards: [notDenied, noCancelAsked, nothingApplied, budgetLeft]',
    replace: 'guards: [nothingApplied, budgetLeft]',
    killedBy: people,
  },
  {
    id: 'cancel-undoes',
    without: 'a cancel proves nothing undone',
    file: TABLE,
    find: '      when: [neverSent],',
    replace: '      when: [],',
    killedBy: people,
  },
  {
    id: 'cancel-not-kept',
    without: 'a cancel stays asked',
    file: RECORD_DECISION,
    find: 'cancel_requested_at: operation.cancel_requested_at ?? context.now.at,',
    replace: 'cancel_requested_at: operation.cancel_requested_at,',
    killedBy: people,
  },
  {
    id: 'denial-not-kept',
    without: 'a denial stays',
    file: RECORD,
    find: '{ ...stopped(move), flags: { ...operation.flags, denied: true } }',
    replace: '{ ...stopped(move) }',
    killedBy: people,
  },
  {
    id: 'denial-undone-by-reopen',
    without: 'reopen takes a cancel back, not a denial',
    file: RECORD,
    find: '...(operation.flags.denied ? {} : { cancel_requested_at: null })',
    replace: 'cancel_requested_at: null',
    killedBy: test(
      'test/core/transitions/record-decisions.test.ts',
      'is taken back by reopen, a denial is not',
    ),
  },
  {
    id: 'withdrawal-settles-doubt',
    without: 'a withdrawal of what may have applied leads to unknown',
    file: TABLE,
    find: '      when: [maybeApplied],\n      guards: [reasonGiven],',
    replace: '      when: [maybeApplied, neverSent],\n      guards: [reasonGiven],',
    killedBy: plain,
  },
  {
    id: 'early-word-is-final',
    without: 'an early "not executed" leaves open what can still arrive',
    file: RECORD_DECISION,
    find: 'ends: allInDoubt(move).filter(({ n }) => !canArrive.some(attempt => attempt.n === n)),',
    replace: 'ends: allInDoubt(move),',
    killedBy: plain,
  },
  {
    id: 'early-word-without-early',
    without: 'before the latest arrival "not executed" needs --early',
    file: DECISION,
    find: 'if (pending.length === 0) return null',
    replace: 'if (pending.length >= 0) return null',
    killedBy: test(
      'test/core/transitions.test.ts',
      'may say not executed only after nothing can arrive any more, or --early',
    ),
  },
  {
    id: 'reopen-keeps-absence',
    without: 'reopen turns absence back into doubt',
    file: RECORD_DECISION,
    find: "({ end }) => end === 'absent').map(({ n }) => ({ n, end: 'ambiguous' as const }))",
    replace: "({ end }) => end === null).map(({ n }) => ({ n, end: 'ambiguous' as const }))",
    killedBy: people,
  },
  {
    id: 'acknowledge-single-object',
    without: 'only what more than one object carries the id of is acknowledged',
    file: TABLE,
    find: 'guards: [...byPerson, hasDuplicates],',
    replace: 'guards: byPerson,',
    killedBy: test(
      'test/cli/deciding/duplicates.test.ts',
      'cannot be acknowledged twice, nor where there are none',
    ),
  },
  {
    id: 'acknowledged-asks-on',
    without: 'what was acknowledged leaves the queue',
    file: RECORD,
    find: 'const { duplicates: _, ...flags } = operation.flags\n      return {',
    replace: 'const flags = operation.flags\n      return {',
    killedBy: test(
      'test/cli/deciding/duplicates.test.ts',
      'stay in the queue until a person acknowledges them, and on record for ever',
    ),
  },
]
