import { keyed, test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const RECORD_ATTEMPT = 'src/core/transitions/record-attempt.ts'

/** When a repeat is safe, and how old a key is. */
export const REPEATING_MUTANTS: readonly Mutant[] = [
  {
    id: 'key-never-expires',
    without: 'a key that the service may have forgotten makes no repeat safe',
    file: 'src/core/repeat.ts',
    find: 'if (left <= 0)',
    replace: 'if (left <= -key_retention_ms)',
    killedBy: test(
      'test/core/repeat.test.ts',
      'is safe until retention less the arrival bound has passed since the first use',
    ),
  },
  {
    id: 'key-without-margin',
    without: 'a repeat leaves so early that it arrives while the key is known',
    file: 'src/core/repeat.ts',
    find: 'key_retention_ms - arrival - elapsedAtMost',
    replace: 'key_retention_ms - elapsedAtMost',
    killedBy: keyed,
  },
  {
    id: 'key-safe-too-long-in-the-air',
    without: 'send_by of a repeat ends before the margin of its key',
    file: RECORD_ATTEMPT,
    find: 'safe.until === null ? Infinity : safe.until - 1',
    replace: 'Infinity',
    killedBy: keyed,
  },
  {
    id: 'key-safe-one-moment-too-long',
    without: 'at the end of retention the key may be forgotten already',
    file: RECORD_ATTEMPT,
    find: 'safe.until === null ? Infinity : safe.until - 1',
    replace: 'safe.until === null ? Infinity : safe.until',
    killedBy: keyed,
  },
  {
    id: 'key-first-use-moved',
    without: 'the age of a key counts from its first use',
    file: RECORD_ATTEMPT,
    find: 'operation.key_first_used_at ?? now.at',
    replace: 'now.at',
    killedBy: test(
      'test/core/transitions/record.test.ts',
      'that repeats under a key must have left before the margin, so that it arrives while the key is known',
    ),
  },
  {
    id: 'key-aged-by-wall-clock',
    without: 'a wall clock set back makes no key younger',
    file: 'src/core/repeat.ts',
    find: 'sent !== null && sent.at === key_first_used_at ? sent :',
    replace: 'sent !== null && sent.at < 0 ? sent :',
    killedBy: test(
      'test/core/repeat.test.ts',
      'ages by the clock that says more: setting the wall clock back makes no key younger',
    ),
  },
  {
    id: 'names-reused',
    without: 'a reusable name is safe only while nobody else touched the target',
    file: 'src/core/repeat.ts',
    find: "return touched ? no('another operation on this target was sent since') : yes(reason)",
    replace: 'return yes(reason)',
    killedBy: test(
      'test/core/repeat.test.ts',
      "{ kind: 'idempotent' } is safe only while it is known that nobody else touched the named target",
    ),
  },
  {
    id: 'flight-safe-to-repeat',
    without: 'what is in flight may have applied',
    file: 'src/core/repeat.ts',
    find: "may_have_applied || status === 'in_flight' ||",
    replace: 'may_have_applied ||',
    killedBy: test('test/core/next-action-in-doubt.test.ts', 'counts an executor gone as doubt at once'),
  },
  {
    id: 'reopened-is-clean',
    without: 'what was reopened is in doubt whatever its attempts say',
    file: 'src/core/repeat.ts',
    find: "|| (status === 'unknown' && isDoubtedAgain)",
    replace: "|| (status === 'prepared' && isDoubtedAgain)",
    killedBy: test(
      'test/core/transitions/guards.test.ts',
      'that was reopened after a definite refusal needs an acceptance too',
    ),
  },
  {
    id: 'next-action-resends-anything',
    without: 'the advice to send again follows the rules of resend',
    file: 'src/core/next-action.ts',
    find: 'if (cancel_requested_at !== null || flags.reopened || flags.contradicted) return false',
    replace: 'if (flags.reopened || flags.contradicted) return false',
    killedBy: test('test/core/next-action-in-doubt.test.ts', 'is not that when a cancel is asked'),
  },
]
