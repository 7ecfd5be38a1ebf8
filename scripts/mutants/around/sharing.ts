import { test } from '../checks.js'
import type { Mutant } from '../mutant.js'

const ENGINE = 'src/store/postgres/postgres.ts'
const LEDGER = 'test/ledger/postgres.test.ts'
const FAULTS = 'test/store/postgres-faults.test.ts'
const OTHERS = 'test/store/postgres-others.test.ts'
const ROLES = 'test/store/postgres-roles.test.ts'

/** What holds where many machines share a ledger in PostgreSQL. */
export const SHARING_MUTANTS: readonly Mutant[] = [
  {
    id: 'lease-by-the-clock-of-the-machine',
    without: 'the clock of the database counts, not that of the machine',
    file: 'src/store/postgres/clock.ts',
    find: 'Math.round(carrier(now) + (ahead ?? 0))',
    replace: 'now.at',
    killedBy: test(
      LEDGER,
      'goes by the clock of the server, also where that of a machine is five minutes off',
    ),
  },
  {
    id: 'lost-commit-not-read-again',
    without: 'an announcement whose commit is not known is read again, and ended where it is there',
    file: 'src/execute/undo-announcement.ts',
    find: 'if (state === null || ours === undefined)',
    replace: 'if (state !== undefined || ours === undefined)',
    killedBy: test(
      LEDGER,
      'makes no call where it is not known whether the intent was written, and ends what was',
    ),
  },
  {
    id: 'lost-commit-is-done-again',
    without: 'a connection that is lost at COMMIT leaves open whether it was written',
    file: ENGINE,
    find: 'throw isCommitting && isUnknown(error) ? commitUnknown(place, error) : error',
    replace: 'throw error',
    killedBy: test(FAULTS, 'before the answer to the COMMIT says that it may be there, and there it is'),
  },
  {
    id: 'task-not-locked-while-sending',
    without: 'a takeover waits for sends that are being committed',
    file: 'src/store/postgres/transaction.ts',
    find: '$2)\nfor ',
    replace: '$2) --',
    killedBy: test(OTHERS, 'is waited for, and after --wait nothing was written'),
  },
  {
    id: 'agents-may-change-events',
    without: 'agents have no right to change or remove an event',
    file: 'src/store/postgres/roles.ts',
    find: "on('update', changing, writing),",
    replace: "on('update, delete', [...changing, 'ledger_event'], writing),",
    killedBy: test(ROLES, 'give nobody but operators a right to change or remove what only grows'),
  },
  {
    id: 'events-change-for-their-owner',
    without: 'triggers refuse to change and remove events, to the owner of the tables too',
    file: 'src/store/migrations/postgres-guards.ts',
    find: `ledger_event_stays: \`begin
`,
    replace: `ledger_event_stays: \`begin
  return old;
`,
    killedBy: test(ROLES, 'hold the events even against the owner of the tables'),
  },
]
