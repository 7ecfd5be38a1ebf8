import { approval, people, plain, test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const TABLE = 'src/core/transitions/table.ts'
const SENDING = 'src/core/transitions/guards/sending.ts'
const RECORD = 'src/core/transitions/record.ts'
const RECORD_DECISION = 'src/core/transitions/record-decision.ts'
const DECIDE = 'src/core/transitions/decide.ts'

/** What must hold before an attempt is announced. */
export const SENDING_MUTANTS: readonly Mutant[] = [
  {
    id: 'send-after-takeover',
    without: 'a task that is taken over or paused sends nothing',
    file: TABLE,
    find: `      taskRunning,
      notInGrace,`,
    replace: '      notInGrace,',
    killedBy: people,
  },
  {
    id: 'send-in-old-epoch',
    without: 'an executor that was fenced off by a takeover sends nothing after handback',
    file: TABLE,
    find: '      epochAsClaimed,\n',
    replace: '',
    killedBy: plain,
  },
  {
    id: 'send-after-cancel',
    without: 'nothing is sent once a cancel is asked',
    file: TABLE,
    find: `      noCancelAsked,
      fenceAsHeld,`,
    replace: '      fenceAsHeld,',
    killedBy: test(
      'test/core/transitions/table.test.ts',
      'send prepared → in_flight asks for what the design asks for',
    ),
  },
  {
    id: 'send-with-old-claim',
    without: 'a claim from before a decision sends nothing',
    file: TABLE,
    find: '      fenceAsHeld,\n',
    replace: '',
    killedBy: plain,
  },
  {
    id: 'scheduled-repeat-in-clock-doubt',
    without: 'a repeat that was scheduled is not sent while the clocks disagree',
    file: TABLE,
    find: '      forRepeat(clocksTrusted),\n',
    replace: '',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'and was scheduled by itself is held to what a resend asks, a granted one is not',
    ),
  },
  {
    id: 'scheduled-repeat-with-an-id-on-file',
    without: 'a repeat that was scheduled is not sent once an object of it is known',
    file: TABLE,
    find: '      forRepeat(nothingOnFile),\n',
    replace: '',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'and was scheduled by itself is held to what a resend asks, a granted one is not',
    ),
  },
  {
    id: 'send-from-a-copy',
    without: 'what was prepared before the ledger was restored waits for a person',
    file: TABLE,
    find: `      sameIncarnation,
      oursToSend,
      deadlineAhead,`,
    replace: '      oursToSend,\n      deadlineAhead,',
    killedBy: test(
      'test/core/transitions/table.test.ts',
      'send prepared → in_flight asks for what the design asks for',
    ),
  },
  {
    id: 'send-past-deadline',
    without: 'nothing is sent from the deadline on',
    file: SENDING,
    find: 'elapsedAtMost(wallTime(deadline), now) < 0)',
    replace: 'elapsedAtMost(wallTime(deadline), now) <= 0)',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'of the operation forbids sending from its very millisecond on',
    ),
  },
  {
    id: 'send-before-retry-time',
    without: 'a retry waits for its time',
    file: SENDING,
    find: 'now.at >= operation.next_attempt_at',
    replace: 'now.at + 1 >= operation.next_attempt_at',
    killedBy: test('test/core/transitions/guards.test.ts', 'waits for its time to the millisecond'),
  },
  {
    id: 'budget-without-end',
    without: 'attempts are counted over the whole life of the operation',
    file: SENDING,
    find: 'operation.attempt < operation.max_attempts ||',
    replace: 'operation.attempt <= operation.max_attempts ||',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'has a budget over the whole life of the operation',
    ),
  },
  {
    id: 'repeat-without-safety',
    without: 'what may have applied is sent again only where that is safe or accepted',
    file: SENDING,
    find: '    if (answer.safe) return null',
    replace: '    if (answer.safe || operation.repeat !== undefined) return null',
    killedBy: plain,
  },
  {
    id: 'resend-on-acceptance',
    without: 'what a person accepted is for the attempt they granted, not for a resend',
    file: SENDING,
    find: "    case 'send':\n",
    replace: "    case 'send':\n    case 'resend':\n",
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'a resend rests on no acceptance: nobody was asked about it',
    ),
  },
  {
    id: 'acceptance-without-grant',
    without: 'an acceptance ends with the attempt that was granted',
    file: SENDING,
    find: 'flags.duplicate_allowed === true && extra_attempts > 0',
    replace: 'flags.duplicate_allowed === true',
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'rests on the acceptance only while the granted attempt is there',
    ),
  },
  {
    id: 'acceptance-for-ever',
    without: 'what was accepted for one grant is not accepted for the next',
    file: RECORD_DECISION,
    find: `        : before
          ? { flags }
          : {}),`,
    replace: '        : {}),',
    killedBy: test(
      'test/core/transitions/record-decisions.test.ts',
      'says nothing about the next one: what was accepted before is not accepted again',
    ),
  },
  {
    id: 'grant-survives-withdrawal',
    without: 'a granted attempt goes with the leave to send',
    file: RECORD,
    find: '{ next_attempt_at: null, retry_reason: null, ...grantGone(operation) }',
    replace: '{ next_attempt_at: null, retry_reason: null }',
    killedBy: test('test/core/transitions/record-decisions.test.ts', 'is gone with withdraw'),
  },
  {
    id: 'grant-spent-by-hearsay',
    without: 'an old end told again spends no grant',
    file: DECIDE,
    find: 'if (newest === undefined || newest.end !== null) return {}',
    replace: 'if (newest === undefined) return {}',
    killedBy: test(
      'test/core/transitions/record-decisions.test.ts',
      'is not spent by an end of an earlier attempt that is told again',
    ),
  },
  {
    id: 'grant-never-spent',
    without: 'a granted attempt is one attempt',
    file: DECIDE,
    find: '{ extra_attempts: operation.extra_attempts - 1 }',
    replace: '{}',
    killedBy: test(
      'test/core/transitions/record-decisions.test.ts',
      'is spent by the first attempt that does not end not_applied',
    ),
  },
  {
    id: 'approval-for-anything',
    without: 'an approval holds for the digest it was given for',
    file: 'src/core/approval.ts',
    find: 'if (approval.digest !== digest)',
    replace: 'if (approval.digest === null)',
    killedBy: approval,
  },
  {
    id: 'approval-revoked',
    without: 'a revoked approval is none',
    file: 'src/core/approval.ts',
    find: 'if (approval.revoked_at !== null)',
    replace: 'if (approval.revoked_at === 0)',
    killedBy: approval,
  },
  {
    id: 'approval-used-twice',
    without: 'an approval is used at most its count',
    file: 'src/core/approval.ts',
    find: 'approval.used >= approval.uses',
    replace: 'approval.used > approval.uses',
    killedBy: approval,
  },
  {
    id: 'approval-of-a-lost-attempt',
    without: 'a use covers attempts until one ends other than not_applied',
    file: DECIDE,
    find: '? { approval_id: null }\n',
    replace: '? {}\n',
    killedBy: approval,
  },
  {
    id: 'approval-of-a-reopened-one',
    without: 'what was settled under a use has spent it',
    file: RECORD_DECISION,
    find: 'return approval_id === null ? {} : { approval_id: null }',
    replace: 'return approval_id === null ? {} : {}',
    killedBy: test(
      'test/core/invariants.test.ts',
      '8: an approval is consumed by send itself, for its digest alone, as often as it says',
    ),
  },
  {
    id: 'approval-expired',
    without: 'an approval ends at its very millisecond',
    file: 'src/core/approval.ts',
    find: 'boot_ms: 0 }, now) >= 0',
    replace: 'boot_ms: 0 }, now) > 0',
    killedBy: test('test/core/transitions/guards-decisions.test.ts', 'does not when it has expired'),
  },
  {
    id: 'compensate-unconfirmed',
    without: 'only what is confirmed is undone',
    file: SENDING,
    find: "if (done.status !== 'confirmed')",
    replace: "if (done.status === 'prepared')",
    killedBy: test(
      'test/core/invariants.test.ts',
      '10: a compensation checks in its own send that what it undoes is confirmed and undone by nobody else',
    ),
  },
  {
    id: 'compensate-twice',
    without: 'an operation is undone once',
    file: SENDING,
    find: 'if (other_compensation !== null)',
    replace: 'if (other_compensation === "")',
    killedBy: test(
      'test/core/invariants.test.ts',
      '10: a compensation checks in its own send that what it undoes is confirmed and undone by nobody else',
    ),
  },
  {
    id: 'resend-after-reopen',
    without: 'what was reopened or contradicted is never sent again by itself',
    file: TABLE,
    find: '      neverReopened,\n      nothingOnFile,\n      clocksTrusted,\n      sameIncarnation,',
    replace: '      nothingOnFile,\n      clocksTrusted,\n      sameIncarnation,',
    killedBy: test(
      'test/core/transitions/table.test.ts',
      'resend unknown → prepared asks for what the design asks for',
    ),
  },
]
