import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const RULES = 'src/core/stall/rules'
const loops = (title: string) => test('test/core/stall/loop-rules.test.ts', title)
const published = (title: string) => test('test/core/stall/published.test.ts', title)
const executors = (title: string) => test('test/supervise/watch-executors.test.ts', title)

/** The rules that tell a loop from work and a quiet process from a dead one. */
export const STALLING_MUTANTS: readonly Mutant[] = [
  {
    id: 'answers-not-compared',
    without: 'a changed answer starts the count of a loop again',
    file: `${RULES}/loop-same-action.ts`,
    find: 'tailOf(calls, action => isSameStep(action, newest))',
    replace: 'tailOf(calls, action => action.tool === newest.tool)',
    killedBy: published('fifty reads of the same queue, each with new data: silent'),
  },
  {
    id: 'errors-of-other-calls',
    without: 'only the same call that fails again is one loop of errors',
    file: `${RULES}/loop-same-action.ts`,
    find: ' && one.input_digest === input_digest',
    replace: '',
    killedBy: loops('is silent where the call differs, or worked in between'),
  },
  {
    id: 'loops-of-five-unseen',
    without: 'loops of up to five calls are looked for',
    file: `${RULES}/loop-alternating.ts`,
    find: '[2, 3, 4, 5] as const',
    replace: '[2, 3, 4] as const',
    killedBy: loops('speaks when a loop of 5 has come round three times'),
  },
  {
    id: 'monologue-through-calls',
    without: 'a call ends a monologue',
    file: `${RULES}/loop-monologue.ts`,
    find: "const actions = tailOf(said, ({ kind }) => kind === 'message')",
    replace: "const actions = said.filter(({ kind }) => kind === 'message')",
    killedBy: loops('is silent where it acted or was spoken to in between, or waits for an answer'),
  },
  {
    id: 'condensed-through-work',
    without: 'work between two condensations starts the count again',
    file: `${RULES}/loop-monologue.ts`,
    find: "tailOf(sinceReset(subject), ({ kind }) => kind === 'condensation')",
    replace: "sinceReset(subject).filter(({ kind }) => kind === 'condensation')",
    killedBy: loops('speaks at the third condensation with nothing between'),
  },
  {
    id: 'person-excuses-nothing',
    without: 'a word from a person starts the count again',
    file: 'src/core/stall/loop.ts',
    find: 'actions.slice(spoken + 1)',
    replace: 'actions',
    killedBy: loops('starts again when the answer changes, when a person says something, and after progress'),
  },
  {
    id: 'polls-counted',
    without: 'a tool that polls is judged by time',
    file: 'src/core/stall/loop.ts',
    find: 'if (patience !== null && lasted <= patience.ms) return null',
    replace: '',
    killedBy: published('a poll of a tool that is declared to poll: silent'),
  },
  {
    id: 'clock-is-news',
    without: 'what changes by itself says nothing new',
    file: 'src/core/stall/volatile.ts',
    find: 'VOLATILE_TEXTS.reduce(',
    replace: 'VOLATILE_TEXTS.slice(0, 0).reduce(',
    killedBy: published('62 calls whose output differs only by a clock: caught'),
  },
  {
    id: 'thought-is-another-call',
    without: 'a thought worded anew is no other call',
    file: 'src/core/stall/volatile.ts',
    find: '.filter(([name]) => !THOUGHTS.test(name))',
    replace: '',
    killedBy: published('the same call with its thought worded anew each time: caught'),
  },
  {
    id: 'beat-is-progress',
    without: 'a sign of life is no progress',
    file: `${RULES}/no-progress.ts`,
    find: 'latest(task.progress_at, recent.last_confirmed?.at, task.updated_at)',
    replace: 'latest(task.progress_at, recent.last_confirmed?.at, task.updated_at, task.heartbeat_at)',
    killedBy: published('a process that beats for hours and achieves nothing: caught'),
  },
  {
    id: 'paused-is-stalled',
    without: 'a task that waits for a person is not stalled',
    file: 'src/core/stall/task-silence.ts',
    find: "task.status !== 'running'",
    replace: 'false',
    killedBy: published('a task that is waiting_input: silent'),
  },
  {
    id: 'silence-is-death',
    without: 'whoever could not write is not dead for having been silent',
    file: 'src/supervise/pass.ts',
    find: 'return first !== null && now.at - first >= lease_ms',
    replace: 'return true',
    killedBy: executors(
      'is not called dead after an hour in which nobody could write, until a lease after the first that did',
    ),
  },
  {
    id: 'clock-jump-trusted',
    without: 'a jump of the clock ends the trust in what was seen',
    file: 'src/supervise/trust.ts',
    find: 'Math.abs(byWall - (now.boot_ms - last.boot_ms)) > CLOCK_STEP_MS',
    replace: 'false',
    killedBy: executors('is called dead by no clock that was set: twenty seconds on'),
  },
  {
    id: 'alive-is-orphaned',
    without: 'an executor that still gives signs is waited for',
    file: 'src/supervise/pass.ts',
    find: 'if (isAlive || !(is_gone',
    replace: 'if (!(is_gone',
    killedBy: executors('is not while its executor still gives signs, though its lease ran out'),
  },
  {
    id: 'one-failure-silences',
    without: 'a receiver that failed leaves nobody else untold',
    file: 'src/ledger/notify.ts',
    find: '  await resumeTelling(executor, ledger)\n',
    replace: '',
    killedBy: executors(
      'goes on while the receiver is down or fails, under one key, and leaves nobody else untold',
    ),
  },
]
