import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const RUN = 'src/execute/run.ts'
const SPOOL = 'test/execute/spool.test.ts'
const LEASE = 'test/execute/lease.test.ts'

/** What carrying an operation out owes: nothing leaves that is not announced, nothing that came back is lost. */
export const EXECUTING_MUTANTS: readonly Mutant[] = [
  {
    id: 'sent-past-send-by',
    without: 'past send_by nothing is sent',
    file: RUN,
    find: 'if (isTooLate(executor, live)) return notCalled(executor, live)',
    replace: '',
    killedBy: test(LEASE, 'nothing is sent when writing it down took longer than the lease'),
  },
  {
    id: 'sleep-unseen',
    without: 'what the machine slept counts against the lease',
    file: RUN,
    find: 'monotonicMs() - began.monotonic_ms >= allowed || elapsedAtMost(began.stamp, clock()) >= allowed',
    replace: 'monotonicMs() - began.monotonic_ms >= allowed || elapsedAtMost(clock(), clock()) >= allowed',
    killedBy: test(
      LEASE,
      'nothing is sent when the machine slept meanwhile, which only the wall clock shows',
    ),
  },
  {
    id: 'sends-while-unrecorded',
    without: 'while an outcome waits to be recorded nothing further of its task is sent',
    file: RUN,
    find: 'refuseWhileUnrecorded(executor, task_id)',
    replace: '',
    killedBy: test(
      SPOOL,
      'lets this process send nothing further for the task, until its receipt was taken in',
    ),
  },
  {
    id: 'announcement-left-live',
    without: 'an announcement that may have been written ends as never made',
    file: 'src/execute/announce.ts',
    find: 'if (isCommitUnknown(error)) await undoAnnouncement(executor, { operation_id, owner })',
    replace: '',
    killedBy: test(
      'test/execute/spool-commit.test.ts',
      'of the intent ends the attempt that is there as never made, and the call is not made',
    ),
  },
  {
    id: 'undoing-not-kept',
    without: 'a call that was never made is said in the spool where the ledger cannot be',
    file: 'src/execute/undo-announcement.ts',
    find: 'const { evidence, end, error: why } = neverSent({ n: 0, fence: 0 }, error(null))',
    replace: 'const { evidence, end, error: why } = neverSent({ n: 0, fence: 0 }, error(null))\n    return',
    killedBy: test(
      'test/execute/spool-commit.test.ts',
      'of the intent, and then no look either: the spool says that the call was never made',
    ),
  },
  {
    id: 'epoch-forgotten',
    without: 'an executor that was fenced off stays so after handback',
    file: 'src/execute/announce.ts',
    find: 'wanted.epoch ?? executor.epochs.get(task) ?? null',
    replace: 'wanted.epoch ?? null',
    killedBy: test(
      LEASE,
      'fences the process off: nothing of the task is sent, also after it was handed back',
    ),
  },
]
