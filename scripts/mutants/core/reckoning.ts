import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const RECORD_ATTEMPT = 'src/core/transitions/record-attempt.ts'
const DECIDE = 'src/core/transitions/decide.ts'

/** Clocks, bounds, derived values and the record itself. */
export const RECKONING_MUTANTS: readonly Mutant[] = [
  {
    id: 'arrival-unbounded',
    without: 'a request may arrive until its bound after send_by',
    file: RECORD_ATTEMPT,
    find: "bound === 'unbounded' ? null : send_by + bound",
    replace: "bound === 'unbounded' ? null : send_by",
    killedBy: test(
      'test/core/transitions/record.test.ts',
      'bounds arrival as the contract says, and not at all where it says unbounded',
    ),
  },
  {
    id: 'arrival-one-moment-early',
    without: 'a request may arrive at its latest moment',
    file: 'src/core/attempt.ts',
    find: 'now.at <= attempt.latest_arrival) return false',
    replace: 'now.at < attempt.latest_arrival) return false',
    killedBy: test(
      'test/core/attempt.test.ts',
      'can arrive until that moment over another boot too, where wall time alone speaks',
    ),
  },
  {
    id: 'arrival-by-wall-clock',
    without: 'an age that permits takes the smaller of both clocks',
    file: 'src/core/attempt.ts',
    find: 'return !isSameBoot || now.boot_ms - attempt.sent_boot_ms >',
    replace: 'return true || now.boot_ms - attempt.sent_boot_ms >',
    killedBy: test('test/core/attempt.test.ts', 'can still arrive while either clock of its boot says so'),
  },
  {
    id: 'lease-by-wall-clock',
    without: 'a wall clock set forward declares nobody dead',
    file: 'src/core/lease.ts',
    find: 'return !isSameBoot || lease.lease_boot_ms === null ||',
    replace: 'return true ||',
    killedBy: test('test/core/lease.test.ts', 'lapses on the boot that took it only when both clocks say so'),
  },
  {
    id: 'clock-jump-unseen',
    without: 'a jump of either clock is doubted',
    file: 'src/core/time.ts',
    find: 'Math.abs(byWall - (now.boot_ms - since.boot_ms)) > CLOCK_TOLERANCE_MS',
    replace: 'byWall - (now.boot_ms - since.boot_ms) > CLOCK_TOLERANCE_MS',
    killedBy: test(
      'test/core/time.test.ts',
      'are trusted up to the tolerance and doubted above it, whichever of them jumped',
    ),
  },
  {
    id: 'doubt-waits-unseen',
    without: 'what waits although an attempt may have applied is in doubt',
    file: 'src/core/in-doubt.ts',
    find: '      return operation.may_have_applied',
    replace: '      return false',
    killedBy: test(
      'test/core/lease.test.ts',
      'is what is unknown, and what waits although an attempt may have applied',
    ),
  },
  {
    id: 'id-taken-twice',
    without: 'an operation id is used once',
    file: DECIDE,
    find: "  if (request.type === 'prepare')\n    return refuse(",
    replace: "  if (request.type === 'prepare' && state.operation.version === 0)\n    return refuse(",
    killedBy: test('test/core/invariants.test.ts', '5: an operation id is used once'),
  },
  {
    id: 'version-not-counted',
    without: 'version = number of events',
    file: 'src/core/transitions/evolve.ts',
    find: 'operation.version = before.version + 1',
    replace: 'operation.version = Math.max(before.version, 1)',
    killedBy: test(
      'test/core/invariants.test.ts',
      '7: every change is one event that raises the version by one',
    ),
  },
  {
    id: 'digest-of-any-order',
    without: 'equal inputs have one digest',
    file: 'src/core/digest.ts',
    find: 'text = canonicalizeJson(value)',
    replace: 'text = JSON.stringify(value)',
    killedBy: test(
      'test/core/digest.test.ts',
      'gives one text for equal values, whatever the order of their names',
    ),
  },
]
